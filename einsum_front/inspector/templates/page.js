"use strict";
/* The panes of the inspector: lines, words, and what lights up with them. The data is described in inspector/page_data.py. */

const data = JSON.parse(document.getElementById("data").textContent);
const NAMES = data.names, SOURCES = new Set(data.sources);
const state = { kernel: 0, hidden: new Set(), pinned: null, shown: null, tab: "graph", open: false, unfolded: false, pass: null };
const HINT = "Select a letter, a tensor or a line: it lights up wherever it came from, and whatever it became.";
const at = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const kernel = () => data.kernels[state.kernel] || { name: "", levels: [], spans: [], bases: {}, passes: [], patterns: [] };

/* Panes are the texts of the user, then the levels: [key, id, title, lines]. Keys are "r0" for texts, "0" for levels. */
function panes() {
  const roots = data.roots.map((text, n) => ({ key: `r${n}`, id: text.level, title: text.name, lines: text.lines, root: n }));
  const levels = kernel().levels.map((level, n) => ({ key: `${n}`, id: level.id, title: `${kernel().name}.${level.id}`, lines: level.lines, level: n }));
  return [...roots, ...levels];
}

/* -- links -------------------------------------------------------------------------------------------------------- */

let links = null;

function buildLinks() {
  const below = new Map(), bySpan = new Map();
  const push = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  kernel().levels.forEach((level, l) => level.lines.forEach((line, n) => {
    for (const [above, first, last] of line.o || [])
      for (let m = first; m <= last; ++m) push(below, `${above}:${m}`, `${l}:${n}`);
    for (const span of line.s || []) push(bySpan, span, `${l}:${n}`);
  }));
  links = { below, bySpan };
}

const lineOf = (key) => {
  const [level, n] = key.split(":");
  return kernel().levels[level]?.lines[n];
};
const size = (s) => (s[3] - s[1]) * 10000 + (s[3] === s[1] ? s[4] - s[2] : 5000);
const before = (a, b, c, d) => a < c || (a === c && b <= d);
const holds = (outer, inner) => outer[0] === inner[0] && before(outer[1], outer[2], inner[1], inner[2]) &&
  before(inner[3], inner[4], outer[3], outer[4]);
const meets = (a, b) => a[0] === b[0] && !(before(a[3], a[4], b[1], b[2]) || before(b[3], b[4], a[1], a[2]));

/* What belongs to a selection: lines that it is, or is made of (strong); lines of the same characters (weak). */
function related(selection) {
  const found = { strong: new Set(), weak: new Set(), spans: new Set(), entity: null, scope: null, badges: new Map(), root: null };
  if (selection.entity) return relatedEntity(selection, found);
  if (selection.line) addLine(selection.line, found);
  if (selection.spot) {
    const spans = kernel().spans;
    const under = spans.map((s, n) => n).filter((n) => holds(spans[n], selection.spot));
    const inner = under.sort((a, b) => size(spans[a]) - size(spans[b]))[0];
    found.root = selection.spot;
    if (inner !== undefined) {
      found.spans.add(inner);
      for (const key of links.bySpan.get(inner) || []) {
        found.strong.add(key);
        for (const span of lineOf(key).s) if (spans[span][0] !== spans[inner][0]) found.spans.add(span);
      }
      spans.forEach((s, n) => {
        if (n !== inner && holds(spans[inner], s)) for (const key of links.bySpan.get(n) || []) found.weak.add(key);
      });
    }
  }
  for (const key of found.strong) found.weak.delete(key);
  return found;
}

function addLine(key, found) {
  found.strong.add(key);
  const line = lineOf(key), level = +key.split(":")[0];
  for (const [above, first, last] of line?.o || [])
    for (let m = first; m <= last; ++m) if (above !== level) found.strong.add(`${above}:${m}`);
  for (const lower of links.below.get(key) || []) found.strong.add(lower);
  for (const span of line?.s || []) {
    found.spans.add(span);
    for (const other of links.bySpan.get(span) || []) if (!found.strong.has(other)) found.weak.add(other);
  }
}

/* A tensor is one in all of a kernel; an index in one statement only. */
function relatedEntity(selection, found) {
  found.entity = selection.entity;
  const spans = kernel().spans;
  if (selection.entity.startsWith("i:")) {
    const own = selection.line ? (lineOf(selection.line)?.s || []).map((n) => spans[n]) : [selection.spot];
    const around = spans.filter((s) => own.some((o) => o && holds(s, o))).sort((a, b) => size(b) - size(a))[0];
    found.scope = around || own[0] || null;
    const letter = selection.entity.slice(2);
    kernel().levels.forEach((level, l) => level.lines.forEach((line, n) => {
      const role = line.r?.[letter], key = `${l}:${n}`;
      if (!role || !inScope(line, found.scope)) return;
      const words = role === "loop" ? `${letter} = a loop` : `${letter} = ${role}`;
      found.badges.set(key, words);
      for (const lower of links.below.get(key) || []) {
        found.weak.add(lower);
        const text = lineOf(lower).t;
        if (/^\s*(gem[mv]|ger|axpby|sum)\b/.test(text)) found.badges.set(lower, words);
      }
    }));
  }
  kernel().levels.forEach((level, l) => level.lines.forEach((line, n) => {
    if ((line.k || []).some((t) => same(t[2], found.entity)) && inScope(line, found.scope)) found.weak.add(`${l}:${n}`);
  }));
  return found;
}

const inScope = (line, scope) => !scope || (line.s || []).some((n) => meets(kernel().spans[n], scope));
const base = (entity) => (entity.startsWith("t:") ? `t:${kernel().bases[entity.slice(2)] || entity.slice(2)}` : entity);
const same = (one, other) => one === other || (base(one) === other) || (base(other) === one);

/* -- panes -------------------------------------------------------------------------------------------------------- */

function renderLine(pane, n) {
  const line = pane.lines[n], node = make("span", { class: "line", "data-n": n + 1, "data-p": pane.key, "data-l": n });
  if (pane.level !== undefined && !line.o && !line.s) node.classList.add("own");
  if (/^\s*(\/\/|;|#)/.test(line.t)) node.classList.add("comment");
  const marks = (pane.errors || []).filter((label) => label[0] === n);
  let end = 0;
  const plain = (stop) => {
    if (end >= stop) return;
    const mark = marks.find((m) => m[1] < stop && end < m[2]);
    if (!mark) { node.append(line.t.slice(end, stop)); end = stop; return; }
    const from = Math.max(end, mark[1]), to = Math.min(stop, mark[2]);
    node.append(line.t.slice(end, from), make("span", { class: "mark" }, line.t.slice(from, to)));
    end = to;
    plain(stop);
  };
  for (const [start, stop, entity] of line.k || []) {
    plain(start);
    node.append(make("span", { class: `tok ${entity[0]}${marks.some((m) => m[1] < stop && start < m[2]) ? " mark" : ""}`,
      "data-e": entity, "data-c": start }, line.t.slice(start, stop)));
    end = stop;
  }
  plain(line.t.length);
  return node;
}

function errorsOf(root) {
  return data.errors.map((error) => ({ ...error, here: error.labels.filter((label) => label) })).filter(() => root === data.roots.length - 1);
}

function renderError(error) {
  const words = [make("b", {}, `error[${error.code}] `), error.message];
  for (const [, , , text] of error.labels.slice(0, 3)) if (text) words.push(`\n${text}`);
  for (const note of error.notes) words.push(`\nnote: ${note}`);
  for (const help of error.helps) words.push(`\nhelp: ${help}`);
  return make("span", { class: "error", role: "alert" }, ...words);
}

function renderPanes() {
  const main = at("panes");
  main.replaceChildren();
  for (const pane of panes()) {
    if (state.hidden.has(pane.id)) continue;
    const errors = pane.root === undefined ? [] : errorsOf(pane.root);
    pane.errors = errors.flatMap((error) => error.here);
    const lines = make("div", { class: "lines", tabindex: "0", "data-p": pane.key, "aria-label": NAMES[pane.id] });
    for (const error of errors) if (!error.here.length) lines.append(renderError(error));
    const folds = foldsOf(pane);
    let fold = null;
    pane.lines.forEach((_, n) => {
      const begun = folds.find(([first]) => first === n);
      if (begun) lines.append(fold = makeFold(pane, begun));
      if (fold && folds.some(([, last]) => last === n - 1) && !begun) fold = null;
      (fold || lines).append(renderLine(pane, n));
      for (const error of errors) if (error.here[0]?.[0] === n) lines.append(renderError(error));
    });
    const widest = Math.max(...pane.lines.map((line) => line.t.length), 20);
    const box = make("section", { class: `pane${pane.root === undefined ? "" : " root"}${SOURCES.has(pane.id) ? " source" : ""}`, "data-id": pane.id },
      make("h2", {}, pane.root === undefined || SOURCES.has(pane.id) ? NAMES[pane.id] : `${NAMES[pane.id]}, as given`, make("span", { class: "level", title: pane.title }, pane.title.split("/").pop()), make("span", { class: "count" })), lines);
    box.style.setProperty("--wide", `${Math.min(560, 90 + widest * 7.3)}px`);
    main.append(box);
    const first = firstOf(pane);
    if (first > 0) bring(lines, lines.querySelectorAll(".line")[first]);
  }
}

const FACT = /^\s*;!/, TABLE = /^constant .*\{$/, HEAD = /^(void \w+\(|(func|define) @\w+\(.*,)$/, LONG = 4;

/* Runs of lines that are folded at first, [first, last, words]: facts about tensors, tables of numbers, long lists of arguments. */
function foldsOf(pane) {
  if (pane.root !== undefined) return [];
  const found = [], text = (n) => pane.lines[n]?.t ?? "";
  for (let n = 0; n < pane.lines.length; ++n) {
    let last = n;
    if (FACT.test(text(n))) while (FACT.test(text(last + 1))) ++last;
    else if (HEAD.test(text(n - 1))) while (last + 1 < pane.lines.length && !/\)( \{)?$/.test(text(last))) ++last;
    else if (TABLE.test(text(n))) while (last + 1 < pane.lines.length && !/^\};/.test(text(last))) ++last;
    if (last - n + 1 >= LONG) {
      const words = TABLE.test(text(n)) ? text(n).replace(" = {", "") : HEAD.test(text(n - 1)) ? "arguments" : [...new Set(pane.lines.slice(n, last + 1).map((l) => l.t.trim().split(" ")[1]))].join(", ");
      found.push([n, last, `${last - n + 1} lines: ${words}`]);
    }
    n = last;
  }
  return found;
}

function makeFold(pane, [, , words]) {
  const fold = make("span", { class: `fold${state.unfolded ? " open" : ""}` });
  fold.append(make("button", { type: "button", "aria-expanded": `${state.unfolded}`, onclick: (event) => { event.stopPropagation(); unfold(fold, !fold.classList.contains("open")); } }, words));
  return fold;
}

function unfold(fold, open) {
  fold.classList.toggle("open", open);
  fold.firstChild.setAttribute("aria-expanded", `${open}`);
}

/* What is seen of a line: its fold, if that is closed. */
const seen = (line) => line.closest(".fold:not(.open)")?.firstChild ?? line;

function bring(pane, line) {
  pane.scrollTop += seen(line).getBoundingClientRect().top - pane.getBoundingClientRect().top - 4;
}

/* The line that a pane begins with: facts about zeros and values, tables and helpers stand above what people look for. */
function firstOf(pane) {
  if (pane.root !== undefined) {
    const declared = /^\s*(tensor|temp|scalar|param|size|real|#|;)/;
    const lines = kernel().spans.filter((s) => s[0] === pane.root && !declared.test(pane.lines[s[1]].t)).map((s) => s[1]);
    return Math.max(0, Math.min(...lines, Infinity) - 2) % pane.lines.length || 0;
  }
  const begin = { yir: /^\s*define\b/, tl: /^\s*func\b/, cl: /^(kernel|__kernel|KERNEL|static void|void)\b/ }[pane.id];
  if (!begin) return 0;
  return pane.lines.findIndex((line) => begin.test(line.t) && (line.s || line.o) && !/void transpose/.test(line.t));
}

function show(selection) {
  state.shown = selection;
  const found = selection ? related(selection) : null;
  for (const node of document.querySelectorAll(".line.strong,.line.weak,.line.here,.fold")) node.classList.remove("strong", "weak", "here");
  for (const node of document.querySelectorAll(".tok.lit")) node.classList.remove("lit");
  for (const node of document.querySelectorAll(".lines .badge")) node.remove();
  for (const node of document.querySelectorAll(".span-lit")) node.replaceWith(...node.childNodes);
  for (const node of document.querySelectorAll("#panes .lines")) node.querySelectorAll(".line").forEach((l) => l.normalize());
  for (const node of document.querySelectorAll(".count")) node.textContent = "";
  drawn.highlight(found);
  at("said").classList.toggle("selected", !!selection);
  at("said").replaceChildren(...(selection ? [make("b", {}, describe(selection)), counted(found), state.pinned ? " · Esc lets it go" : " · a click keeps it"] : [HINT]));
  if (!found) return;
  for (const pane of document.querySelectorAll("#panes .lines")) {
    let count = 0;
    const key = pane.dataset.p, root = key.startsWith("r") ? +key.slice(1) : null;
    const nodes = pane.querySelectorAll(".line");
    nodes.forEach((node, n) => {
      const id = `${key}:${n}`, line = root === null ? lineOf(id) : null;
      if (root === null) {
        const is = found.strong.has(id) ? "strong" : found.weak.has(id) ? "weak" : null;
        if (is) { node.classList.add(is); node.closest(".fold")?.classList.add(is); ++count; }
        if (selection.line === id) node.classList.add("here");
        if (found.badges.has(id)) node.append(make("span", { class: "badge" }, found.badges.get(id)));
      }
      if (found.entity && (root !== null ? inRootScope(root, n, found.scope) : inScope(line, found.scope)))
        for (const token of node.querySelectorAll(".tok")) if (same(token.dataset.e, found.entity)) { token.classList.add("lit"); }
    });
    if (root !== null) for (const span of found.spans) count += markSpan(nodes, kernel().spans[span], root);
    pane.parentNode.querySelector(".count").textContent = count ? `${count}` : "";
  }
}

const inRootScope = (root, n, scope) => !scope || (scope[0] === root && scope[1] <= n && n <= scope[3]);

/* Characters of the user's text, which may lie in words: the nodes of a line are split at both ends. */
function markSpan(nodes, span, root) {
  if (!span || span[0] !== root) return 0;
  for (let n = span[1]; n <= span[3]; ++n) {
    const node = nodes[n];
    if (!node) continue;
    const start = n === span[1] ? span[2] : 0, end = n === span[3] ? span[4] : Infinity;
    let column = 0;
    const texts = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (let text of texts) {
      const first = Math.max(0, start - column), last = Math.min(text.length, end - column), length = text.length;
      if (first < last) {
        if (last < text.length) text.splitText(last);
        if (first > 0) text = text.splitText(first);
        const mark = make("span", { class: "span-lit" });
        text.replaceWith(mark);
        mark.append(text);
      }
      column += length;
    }
  }
  return 1;
}

/* How many lines of each level a selection has. */
function counted(found) {
  const counts = kernel().levels.map((level, l) => [NAMES[level.id], [...found.strong, ...found.weak].filter((key) => key.startsWith(`${l}:`)).length]);
  const words = counts.filter(([, count]) => count).map(([name, count]) => `${count} ${count === 1 ? "line" : "lines"} of ${name}`);
  return words.length ? `: ${words.slice(-3).join(", ")}` : "";
}

function describe(selection) {
  if (selection.entity) {
    const name = selection.entity.slice(2);
    return selection.entity.startsWith("t:") ? `tensor ${name}` : `index ${name}`;
  }
  if (selection.line) {
    const [level, n] = selection.line.split(":");
    const line = lineOf(selection.line);
    const from = (line?.s || []).map((s) => kernel().spans[s]).map((s) => `${data.roots[s[0]].name.split("/").pop()}:${s[1] + 1}:${s[2] + 1}`);
    return `${kernel().name}.${kernel().levels[level].id}:${+n + 1}${from.length ? ` from ${from.join(", ")}` : ", the compiler's own"}`;
  }
  return `${data.roots[selection.spot[0]].name.split("/").pop()}:${selection.spot[1] + 1}:${selection.spot[2] + 1}`;
}

/* Brings the first marked line of each other pane into view, where none is. */
function follow(except) {
  for (const pane of document.querySelectorAll("#panes .lines")) {
    if (pane.dataset.p === except) continue;
    const loop = [...pane.querySelectorAll(".tok.i.lit")].find((token) => /^\s*(for\b|.*\{.* to .*\})/.test(token.closest(".line").textContent));
    const wanted = [".line.strong", ".span-lit", ".tok.lit", ".line.weak"].map((kind) => pane.querySelector(kind));
    const first = seen([loop, ...wanted].find((node) => node) ?? pane);
    if (first === pane) continue;
    const box = pane.getBoundingClientRect(), line = first.getBoundingClientRect();
    if (line.top < box.top || line.bottom > box.bottom) pane.scrollTop += line.top - box.top - box.height / 3;
  }
}

function columnAt(event, node) {
  const range = document.caretRangeFromPoint?.(event.clientX, event.clientY);
  if (!range || !node.contains(range.startContainer)) return node.textContent.length;
  const ahead = document.createRange();
  ahead.setStart(node, 0);
  ahead.setEnd(range.startContainer, range.startOffset);
  return ahead.toString().length;
}

function selectionAt(event) {
  const node = event.target.closest?.(".lines .line");
  if (!node) return null;
  const token = event.target.closest(".tok"), key = node.dataset.p, n = +node.dataset.l;
  if (key.startsWith("r")) {
    const root = +key.slice(1), column = token ? +token.dataset.c : columnAt(event, node);
    return { spot: [root, n, column, n, column + (token ? token.textContent.length : 0)], entity: token?.dataset.e };
  }
  return { line: `${key}:${n}`, entity: token?.dataset.e };
}

function pin(selection, pane) {
  state.pinned = selection;
  show(selection);
  follow(pane);
  revealDrawn();
}

/* -- events ------------------------------------------------------------------------------------------------------- */

let waiting = null;
at("panes").addEventListener("mousemove", (event) => {
  if (state.pinned) return;
  const selection = selectionAt(event), name = JSON.stringify(selection);
  if (!selection || name === JSON.stringify(state.shown)) return;
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(() => { if (!state.pinned) show(selection); });
});
at("panes").addEventListener("mouseleave", () => { if (!state.pinned) show(null); });
at("panes").addEventListener("click", (event) => {
  if (String(getSelection())) return;
  const selection = selectionAt(event), pane = event.target.closest?.(".lines")?.dataset.p;
  const again = selection && JSON.stringify(selection) === JSON.stringify(state.pinned);
  if (selection && !again) pin(selection, pane);
  else { state.pinned = null; show(null); }
});

function move(pane, step) {
  const key = pane.dataset.p, nodes = pane.querySelectorAll(".line");
  const now = state.pinned?.line?.startsWith(`${key}:`) ? +state.pinned.line.split(":")[1]
    : state.pinned?.spot && key === `r${state.pinned.spot[0]}` ? state.pinned.spot[1] : step > 0 ? -1 : nodes.length;
  const n = Math.min(nodes.length - 1, Math.max(0, now + step));
  const text = nodes[n].textContent, first = Math.max(0, text.search(/\S/));
  pin(key.startsWith("r") ? { spot: [+key.slice(1), n, first, n, first] } : { line: `${key}:${n}` }, key);
  if (nodes[n].closest(".fold")) unfold(nodes[n].closest(".fold"), true);
  nodes[n].scrollIntoView({ block: "nearest" });
}

function sideways(pane, step) {
  const all = [...document.querySelectorAll("#panes .lines")];
  const next = all[all.indexOf(pane) + step];
  if (!next) return;
  next.focus();
  next.closest(".pane").scrollIntoView({ inline: "nearest", block: "nearest" });
  const first = next.querySelector(".line.strong, .line.weak");
  if (first && !next.dataset.p.startsWith("r")) {
    pin({ line: `${next.dataset.p}:${first.dataset.l}` }, next.dataset.p);
    first.scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, dialog, input")) return;
  const pane = document.activeElement?.closest?.(".lines");
  const key = event.key;
  if (key === "Escape") { state.pinned = null; show(null); }
  else if (pane && key === "ArrowDown") move(pane, 1);
  else if (pane && key === "ArrowUp") move(pane, -1);
  else if (pane && key === "ArrowRight") sideways(pane, 1);
  else if (pane && key === "ArrowLeft") sideways(pane, -1);
  else if (/^[1-9]$/.test(key)) at("toggles").children[+key - 1]?.click();
  else if (key === "t") at("theme").click();
  else if (key === "f") { state.unfolded = !state.unfolded; document.querySelectorAll(".fold").forEach((fold) => unfold(fold, state.unfolded)); }
  else if (key === "?") at("help").showModal();
  else if (key === "[" || key === "]") choose(state.kernel + (key === "]" ? 1 : -1));
  else if (TABS.some((tab) => tab.key === key && tab.has())) toggleTab(TABS.find((tab) => tab.key === key).id);
  else return;
  event.preventDefault();
});

/* The levels that are shown at first beside the text of the user, as many as there is room for. */
const FIRST = ["cl", "tl", "plan"];

/* -- the frame ---------------------------------------------------------------------------------------------------- */

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  at("theme").textContent = name === "dark" ? "light" : "dark";
  renderView();
}

function changeTheme() { // what a reader has chosen is kept; without a choice the page is as the system is
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("einsum-front-theme", name); } catch { /* files may have no storage */ }
  setTheme(name);
}

function choose(number) {
  if (number < 0 || number >= data.kernels.length) return;
  state.kernel = number;
  state.pinned = state.shown = state.pass = null;
  at("kernel").value = `${number}`;
  buildLinks();
  renderPanes();
  renderTabs();
  renderView();
  if (location.protocol !== "about:") location.replace(`#${encodeURIComponent(kernel().name)}`); // a frame has the notebook's address
}

function renderToggles() {
  const ids = [...new Set(panes().map((pane) => pane.id))];
  at("toggles").replaceChildren(...ids.map((id, n) => make("button", {
    type: "button", "aria-pressed": `${!state.hidden.has(id)}`, title: `${NAMES[id]} (${n + 1})`,
    onclick: () => {
      state.hidden.has(id) ? state.hidden.delete(id) : state.hidden.add(id);
      renderToggles(); renderPanes();
      if (state.pinned) show(state.pinned);
    },
  }, NAMES[id])));
}

function start() {
  at("title").textContent = data.title.split("/").pop();
  at("title").title = `${data.title}, einsum-front ${data.version}`;
  data.kernels.forEach((each, n) => at("kernel").append(make("option", { value: n }, each.name)));
  at("kernel").parentNode.hidden = data.kernels.length < 2;
  at("kernel").addEventListener("change", (event) => choose(+event.target.value));
  at("theme").addEventListener("click", changeTheme);
  at("help-button").addEventListener("click", () => at("help").showModal());
  let theme = null;
  try { theme = localStorage.getItem("einsum-front-theme"); } catch { /* files may have no storage */ }
  const first = new Set(FIRST.slice(0, innerWidth < 1200 ? 1 : innerWidth < 2400 ? 2 : 3));
  for (const pane of panes()) if (pane.root === undefined && panes().length > 3 && !first.has(pane.id)) state.hidden.add(pane.id);
  const wanted = data.kernels.findIndex((each) => `#${encodeURIComponent(each.name)}` === location.hash);
  state.kernel = Math.max(0, wanted);
  at("kernel").value = `${state.kernel}`;
  buildLinks();
  renderToggles();
  renderPanes();
  renderTabs();
  show(null);
  setTheme(theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  const splitter = at("splitter"), drawer = at("drawer");
  const resize = (height) => { drawer.style.height = `${Math.max(60, Math.min(innerHeight - 160, height))}px`; };
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    splitter.onpointermove = (moved) => resize(innerHeight - moved.clientY);
    splitter.onpointerup = () => { splitter.onpointermove = null; };
  });
  splitter.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") resize(drawer.offsetHeight + (event.key === "ArrowUp" ? 30 : -30));
  });
  if (!data.kernels.length) drawer.hidden = splitter.hidden = true;
  if (!data.kernels.length) at("said").textContent = "The text has mistakes, which stand below the lines that they are in.";
}
