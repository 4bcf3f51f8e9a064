/* The drawer of the inspector: drawings, tables and pictures, and how they light up with the panes. */

const explained = () => kernel().explained || {};
const steps = () => explained().steps || [];
const plans = () => [explained().prologue, explained()].filter((plan) => plan && plan.steps);
const TABS = [
  { id: "graph", key: "g", name: "graph", view: viewGraph, has: () => !!kernel().graph },
  { id: "order", key: "o", name: "order", view: viewOrder, has: () => steps().length > 0 },
  { id: "plan", key: "p", name: "plan and orders", view: viewPlan, has: () => steps().length > 0 },
  { id: "memory", key: "m", name: "memory", view: viewMemory, has: () => !!kernel().memory?.buffers.length },
  { id: "zeros", key: "z", name: "zeros", view: viewZeros, has: () => kernel().patterns.some((each) => each.count) },
  { id: "passes", key: "d", name: "passes", view: viewPasses, has: () => kernel().passes.length > 0 },
  { id: "roofline", key: "r", name: "roofline", view: viewRoofline, has: () => !!kernel().measured },
];
const drawn = { targets: [], highlight: highlightDrawn, reveal: null };
const number = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : typeof value === "object" && value ? JSON.stringify(value) : `${value ?? ""}`);

function renderTabs() {
  const there = TABS.filter((tab) => tab.has());
  if (!there.some((tab) => tab.id === state.tab)) state.tab = there[0]?.id;
  at("tabs").replaceChildren(...there.map((tab) => make("button", {
    type: "button", role: "tab", "data-tab": tab.id, "aria-selected": `${state.open && tab.id === state.tab}`, title: `${tab.name} (${tab.key})`,
    onclick: () => toggleTab(tab.id),
  }, tab.name)));
}

/* Opens a drawing or a table; the one that is open is closed. */
function toggleTab(id) {
  state.open = !(state.open && state.tab === id);
  state.tab = id;
  at("drawer").classList.toggle("closed", !state.open);
  at("splitter").hidden = !state.open;
  renderTabs();
  renderView();
}

function renderView() {
  const view = at("view"), tab = TABS.find((each) => each.id === state.tab && each.has());
  drawn.targets = [];
  drawn.reveal = null;
  view.className = "";
  view.replaceChildren();
  if (tab && state.open) tab.view(view);
  if (state.shown) highlightDrawn(related(state.shown));
  if (state.pinned) revealDrawn();
}

/* Moves a drawing that is larger than its view to what is chosen. */
function revealDrawn() {
  const first = drawn.targets.find(([element]) => element.classList.contains("strong"));
  if (first && drawn.reveal) drawn.reveal(first[0]);
}

/* Nodes, rows and pictures stand for a line each: [element, "level:line"]. */
function target(element, key) {
  drawn.targets.push([element, key]);
  element.addEventListener("mouseenter", () => { if (!state.pinned) show({ line: key }); });
  element.addEventListener("mouseleave", () => { if (!state.pinned) show(null); });
  element.addEventListener("click", (event) => {
    event.stopPropagation();
    state.pinned?.line === key ? (state.pinned = null, show(null)) : pin({ line: key });
  });
}

function highlightDrawn(found) {
  for (const [element, key] of drawn.targets) {
    element.classList.toggle("strong", !!found?.strong.has(key));
    element.classList.toggle("weak", !!found && !found.strong.has(key) && found.weak.has(key));
  }
}

const levelNumber = (id) => kernel().levels.findIndex((level) => level.id === id);

/* The lines of steps in the text of the plan, those of what runs once per launch behind the others. */
function stepLines() {
  const level = levelNumber("plan"), lines = kernel().levels[level]?.lines || [];
  const keys = [];
  let inside = false, part = -1;
  lines.forEach((line, n) => {
    if (/^plan /.test(line.t)) keys[++part] = [];
    if (/^ {2}\S/.test(line.t)) inside = line.t === "  steps";
    else if (inside && /^ {4}\d+: /.test(line.t)) keys[part].push(`${level}:${n}`);
  });
  return keys.length > 1 ? [keys[1], keys[0]] : keys;
}

/* -- SVG ---------------------------------------------------------------------------------------------------------- */

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/* A drawing that is dragged and zoomed: the wheel zooms at the pointer, `fit` shows all of it. */
function canvas(view, width, height, title) {
  view.className = "drawing";
  const inner = svg("g"), outer = svg("svg", { class: "canvas", role: "img", "aria-label": title, tabindex: 0 },
    svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      svg("path", { class: "head", d: "M0,0L8,4L0,8z" }))), inner);
  let box = { x: 0, y: 0, s: 1 };
  const apply = () => inner.setAttribute("transform", `translate(${box.x},${box.y}) scale(${box.s})`);
  const fit = (least) => {
    const w = outer.clientWidth || 800, h = outer.clientHeight || 300;
    const s = Math.min(1.15, (w - 40) / width, (h - 24) / height);
    box = { s: Math.max(s, least), x: 0, y: 0 };
    box.x = Math.max(20, (w - width * box.s) / 2);
    box.y = Math.max(12, (h - height * box.s) / 2);
    apply();
  };
  const zoom = (by, x, y) => {
    const s = Math.max(.05, Math.min(6, box.s * by));
    box = { s, x: x - (x - box.x) * s / box.s, y: y - (y - box.y) * s / box.s };
    apply();
  };
  outer.addEventListener("wheel", (event) => {
    event.preventDefault();
    const place = outer.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
  outer.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".node")) return;
    outer.setPointerCapture(event.pointerId);
    outer.onpointermove = (moved) => { box.x += moved.movementX; box.y += moved.movementY; apply(); };
    outer.onpointerup = () => { outer.onpointermove = null; };
  });
  outer.addEventListener("keydown", (event) => {
    const step = { "+": () => zoom(1.25, 300, 150), "-": () => zoom(.8, 300, 150), 0: () => fit(.2), ArrowLeft: () => (box.x += 40, apply()),
      ArrowRight: () => (box.x -= 40, apply()), ArrowUp: () => (box.y += 40, apply()), ArrowDown: () => (box.y -= 40, apply()) }[event.key];
    if (step) { step(); event.preventDefault(); event.stopPropagation(); }
  });
  const button = (text, title_, click) => make("button", { type: "button", title: title_, onclick: click }, text);
  view.append(outer, make("div", { class: "zoom" }, button("+", "closer", () => zoom(1.25, outer.clientWidth / 2, outer.clientHeight / 2)),
    button("−", "farther", () => zoom(.8, outer.clientWidth / 2, outer.clientHeight / 2)), button("all", "all of it (0)", () => fit(.2))));
  fit(1); // words at reading size, the rest is a drag away
  drawn.reveal = (element) => {
    const there = element.getBoundingClientRect(), place = outer.getBoundingClientRect();
    if (there.left >= place.left && there.right <= place.right && there.top >= place.top && there.bottom <= place.bottom) return;
    box.x += place.left + place.width / 2 - (there.left + there.right) / 2;
    box.y += place.top + place.height / 2 - (there.top + there.bottom) / 2;
    apply();
  };
  return inner;
}

const CHARACTER = 7.9;

/* Boxes with two lines of text and arrows between them, laid out by dagre from left to right. */
function drawNetwork(view, nodes, edges, title) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 12, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    const wide = Math.max(...node.lines.map((line, n) => line.length * (n ? CHARACTER * .92 : CHARACTER))) + 18;
    graph.setNode(`${node.id}`, { width: wide, height: 10 + 16 * node.lines.length });
  }
  const there = new Set(nodes.map((node) => node.id));
  const operands = new Map(), readers = new Map(), push = (map, key, value) => map.set(key, [...(map.get(key) || []), value]);
  for (const [from, to] of edges) {
    if (!there.has(from) || !there.has(to)) continue;
    graph.setEdge(`${from}`, `${to}`);
    if (!operands.get(`${to}`)?.includes(`${from}`)) push(operands, `${to}`, `${from}`);
    push(readers, `${from}`, `${to}`);
  }
  // operands stand below each other in the order of the notation, but for those that several nodes read
  const constraints = [...operands.values()].map((each) => each.filter((from) => new Set(readers.get(from)).size === 1))
    .flatMap((own) => own.slice(1).map((right, n) => ({ left: own[n], right })));
  dagre.layout(graph, { constraints });
  const inner = canvas(view, graph.graph().width, graph.graph().height, title);
  for (const node of nodes) {
    const place = graph.node(`${node.id}`);
    const group = svg("g", { class: `node ${node.kind}`, transform: `translate(${(place.x - place.width / 2).toFixed(1)},${(place.y - place.height / 2).toFixed(1)})` },
      svg("title", {}, node.full), svg("rect", { class: "box", width: place.width.toFixed(1), height: place.height, rx: node.kind === "leaf" ? 11 : 3 }));
    node.lines.forEach((line, n) => group.append(Object.assign(svg("text", { x: 9, y: 18 + 16 * n, class: n ? "dim" : "" }), { textContent: line })));
    inner.append(group);
    if (node.key) target(group, node.key);
  }
  // arrows turn between the columns of boxes and end at the left side of one, below each other as the operands are
  const columns = new Map();
  for (const id of graph.nodes()) { const { x, width } = graph.node(id); columns.set(Math.round(x), Math.max(columns.get(Math.round(x)) || 0, width / 2)); }
  const half = (x) => columns.get(Math.round(x));
  for (const edge of graph.edges()) {
    const from = graph.node(edge.v), to = graph.node(edge.w), own = operands.get(edge.w);
    const end = { x: to.x - to.width / 2, y: to.y + to.height * ((own.indexOf(edge.v) + 1) / (own.length + 1) - .5) };
    const way = graph.edge(edge).points.filter((p) => half(p.x) && from.x + 1 < p.x && p.x < to.x - 1);
    const straight = [[from.x + from.width / 2, from.x + half(from.x), from.y], ...way.map((p) => [p.x - half(p.x), p.x + half(p.x), p.y]), [to.x - half(to.x), end.x, end.y]];
    const path = straight.map(([left, right, y], n) => {
      if (!n) return `M${left},${y}H${right}`;
      const [, x, last] = straight[n - 1], middle = (x + left) / 2;
      return `C${middle},${last} ${middle},${y} ${left},${y}H${right}`;
    });
    inner.append(svg("path", { class: "arrow", d: path.join(""), "marker-end": "url(#head)" }));
  }
  const first = nodes.find((node) => node.kind === "assignment") || nodes[0];
  if (first) drawn.reveal([...inner.querySelectorAll(".node")][nodes.indexOf(first)]);
}

const MANY_READERS = 3; // an argument that more steps read stands beside each of them

const short = (text, most = 44) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/* `f64 20x20 constant, 33 nonzeros` in two lines. */
function inTwo(text) {
  const comma = text.indexOf(", ");
  return text.length > 24 && comma > 0 ? [text.slice(0, comma), text.slice(comma + 2)] : [text];
}

function viewGraph(view) {
  const graph = kernel().graph, level = levelNumber("graph"), used = new Set(graph.edges.flat());
  const nodes = graph.nodes.filter((node) => used.has(node.id)).map((node) => {
    const [head, ...rest] = node.label.split(" : ");
    const words = node.kind === "leaf" ? node.name : head.replace(/ %\d+(, (keep )?%\d+)*/, "").replace(/,? ?%\d+$/, "").replace(/,$/, "");
    return { id: node.id, kind: node.kind, key: `${level}:${node.line}`, full: `%${node.id} = ${node.label}`, lines: [words, ...inTwo(rest.join(" : "))].map((each) => short(each)).filter((x) => x) };
  });
  drawNetwork(view, nodes, graph.edges, `contraction graph of ${kernel().name}`);
}

/* Steps of the plan: an arrow from the step that made an operand, or from the argument. */
function viewOrder(view) {
  const nodes = [], edges = [], last = new Map(), keys = stepLines().length > plans().length ? stepLines().slice(1) : stepLines();
  const order = plans(), operands = (step) => [...new Set([...step.formula.split(" := ")[1].matchAll(/([A-Za-z_]\w*)\[/g)].map((match) => match[1]))];
  const readers = new Map();
  for (const plan of order) for (const step of plan.steps) for (const read of operands(step)) readers.set(read, (readers.get(read) || 0) + 1);
  order.forEach((plan, p) => plan.steps.forEach((step, n) => {
    const id = `${p}.${n}`, [targetText] = step.formula.split(" := ");
    const name = targetText.split("[")[0];
    for (const read of operands(step)) {
      let from = last.get(read);
      if (from === undefined) {
        const own = readers.get(read) > MANY_READERS;
        from = own ? `a.${read}.${id}` : `a.${read}`;
        if (!own) last.set(read, from);
        nodes.push({ id: from, kind: "leaf", full: read, lines: [read] });
      }
      edges.push([from, id]);
    }
    const cost = `${step.instruction} ${step.map}, ${number(step.operations.nonzero)} operations`;
    nodes.push({ id, kind: "assignment", key: keys[p]?.[n], full: `${step.formula}\n${cost}`, lines: [short(step.formula, 52), short(cost, 60)] });
    last.set(name, id);
  }));
  drawNetwork(view, nodes, edges, `order of ${kernel().name}`);
}

/* -- tables ------------------------------------------------------------------------------------------------------- */

/* columns: [head, kind of cell, value of a row]; a click on a head sorts. */
function table(columns, rows, decorate) {
  const body = make("tbody"), head = make("tr");
  let sorted = null, down = false;
  const fill = () => {
    const order = [...rows];
    if (sorted !== null) {
      const value = columns[sorted][2];
      order.sort((a, b) => {
        const x = value(a), y = value(b);
        const result = typeof x === "number" && typeof y === "number" ? x - y : `${x}`.localeCompare(`${y}`);
        return down ? -result : result;
      });
    }
    body.replaceChildren(...order.map((row) => row.node));
    [...head.children].forEach((cell, n) => n === sorted ? cell.setAttribute("aria-sort", down ? "descending" : "ascending") : cell.removeAttribute("aria-sort"));
  };
  columns.forEach(([name, kind], n) => head.append(make("th", { class: kind }, make("button", {
    type: "button", onclick: () => { down = sorted === n ? !down : kind === "number"; sorted = n; fill(); } }, name))));
  for (const row of rows) {
    row.node = make("tr", {}, ...columns.map(([, kind, value]) => make("td", { class: kind }, kind === "number" ? number(value(row)) : `${value(row) ?? ""}`)));
    decorate?.(row);
  }
  fill();
  return make("table", {}, make("thead", {}, head), body);
}

function viewPlan(view) {
  const keys = stepLines();
  plans().forEach((plan, p) => {
    const costs = plan.operations;
    const when = plan === explained() ? "for each element" : "once per launch";
    view.append(make("h3", {}, `steps, ${when}`),
      make("p", { class: "dim" }, `${number(costs.nonzero)} operations on nonzeros, ${number(costs.executed)} on boxes, ${number(plan.read_bytes)} bytes read, ` +
        `${number(plan.written_bytes)} written, ${number(plan.temporary_bytes)} bytes of temporaries at a time; machine: ${plan.machine}`));
    const rows = plan.steps.map((step, n) => ({ ...step, n }));
    view.append(table([["step", "number", (r) => r.n], ["formula", "", (r) => r.formula], ["instruction", "", (r) => r.instruction], ["map", "", (r) => r.map],
      ["nonzero operations", "number", (r) => r.operations.nonzero], ["on boxes", "number", (r) => r.operations.executed], ["bytes", "number", (r) => r.bytes], ["statement", "", (r) => r.statement]],
      rows, (row) => { const key = keys[keys.length === plans().length ? p : p + 1]?.[row.n]; if (key) target(row.node, key); }));
    for (const text of plan.rewritten) view.append(make("p", {}, `rewritten: ${text}`));
    for (const order of plan.orders) {
      const tried = [{ ...order.taken, is: "taken" }, ...order.rejected.map((each) => ({ ...each, is: each.reason || "rejected" }))];
      view.append(make("h3", {}, `orders of ${order.factors.join(" * ")}`), order.exact ? "" : make("p", { class: "dim" }, "not all orders were compared"),
        table([["order", "", (r) => r.tree], ["", "", (r) => r.is], ["nonzero operations", "number", (r) => r.operations.nonzero], ["on boxes", "number", (r) => r.operations.executed],
          ["matrix products", "number", (r) => r.matrix_products], ["temporary entries", "number", (r) => r.temporary_entries]], tried,
          (row) => { if (row.is === "taken") row.node.classList.add("taken"); }));
    }
  });
  if (explained().schedule) view.append(make("h3", {}, "schedule"), make("p", {}, `${explained().schedule.name}: ${explained().schedule.why ?? ""}`));
}

/* -- memory and zeros --------------------------------------------------------------------------------------------- */

function viewMemory(view) {
  const memory = kernel().memory, keys = stepLines()[stepLines().length - 1] || [], row = 22, left = 190, top = 34;
  const wide = Math.max(24, Math.min(80, 900 / memory.steps)), height = top + row * memory.buffers.length + 110;
  const alive = Array.from({ length: memory.steps }, (_, n) => memory.buffers.filter((b) => b.first <= n && n <= b.last).reduce((sum, b) => sum + b.bytes, 0));
  const inner = canvas(view, left + wide * memory.steps + 140, height, "memory of temporaries over the steps");
  const text = (x, y, words, kind = "") => inner.append(Object.assign(svg("text", { x, y, class: kind }), { textContent: words }));
  text(0, 14, `temporaries of an element: at most ${number(memory.peak)} bytes at a time`);
  for (let n = 0; n <= memory.steps; ++n) inner.append(svg("line", { class: "grid", x1: left + n * wide, x2: left + n * wide, y1: top - 8, y2: height - 18 }));
  memory.buffers.forEach((buffer, n) => {
    const y = top + n * row;
    text(0, y + 12, short(`${buffer.name}: ${number(buffer.bytes)} bytes`, 26));
    inner.append(svg("rect", { class: "bar", x: left + buffer.first * wide + 1, y, width: (buffer.last - buffer.first + 1) * wide - 2, height: row - 7, rx: 3 }));
  });
  const floor = top + row * memory.buffers.length + 84, most = Math.max(...alive, 1);
  alive.forEach((bytes, n) => {
    const h = 64 * bytes / most;
    const group = svg("g", { class: "node" }, svg("title", {}, `step ${n}: ${number(bytes)} bytes`), svg("rect", { class: "box", x: left + n * wide + 1, y: floor - h, width: wide - 2, height: Math.max(1, h) }));
    inner.append(group);
    if (keys[n]) target(group, keys[n]);
    if (memory.steps <= 40 || n % 5 === 0) text(left + n * wide + 3, floor + 14, `${n}`, "dim");
  });
  text(0, floor - 4, "alive in each step", "dim");
}

function viewZeros(view) {
  view.append(make("p", { class: "dim" }, "Entries that may differ from zero and matter, at each node of the contraction graph. Rows are the first mode, columns all others, the first of them fastest."));
  const list = make("div", { class: "spies" }), level = levelNumber("graph"), read = new Set(kernel().graph.edges.map((e) => kernel().graph.nodes.find((n) => n.id === e[0])?.line));
  for (const pattern of kernel().patterns.filter((each) => each.count || read.has(each.line))) {
    const rows = pattern.shape[0], columns = Math.max(1, pattern.shape.slice(1).reduce((a, b) => a * b, 1));
    const scale = Math.max(1, Math.min(8, Math.floor(220 / Math.max(rows, columns))));
    const sheet = make("canvas", { width: columns * scale, height: rows * scale, role: "img", "aria-label": `zero pattern of ${pattern.name}` });
    const ink = sheet.getContext("2d"), colour = getComputedStyle(document.documentElement).getPropertyValue("--weak-bar");
    ink.fillStyle = colour;
    for (let run = 0; run < pattern.runs.length; run += 2)
      for (let at_ = pattern.runs[run]; at_ < pattern.runs[run + 1]; ++at_) ink.fillRect(Math.floor(at_ / rows) * scale, (at_ % rows) * scale, Math.max(1, scale - (scale > 3 ? 1 : 0)), Math.max(1, scale - (scale > 3 ? 1 : 0)));
    const total = pattern.shape.reduce((a, b) => a * b, 1), share = (100 * pattern.count / total).toFixed(pattern.count * 100 < total ? 1 : 0);
    sheet.style.maxWidth = "240px";
    const box = make("div", { class: "spy", tabindex: "0" }, sheet, make("code", {}, `${pattern.node} ${pattern.name.startsWith("%") ? short(pattern.label.split(" : ")[0], 40) : pattern.name}`),
      make("div", { class: "dim" }, `${pattern.shape.join(" x ")}, ${number(pattern.count)} of ${number(total)}, ${share} %`));
    target(box, `${level}:${pattern.line}`);
    list.append(box);
  }
  view.append(list);
}

/* -- passes and times --------------------------------------------------------------------------------------------- */

function viewPasses(view) {
  const passes = kernel().passes, diff = make("pre", { class: "diff", tabindex: "0" });
  const showPass = (n) => {
    state.pass = n;
    const pass = passes[n];
    diff.replaceChildren(...(pass.lines.length ? pass.lines : [pass.is_first ? `  ${pass.name} is the first that is seen in this language` : `  ${pass.name} changed nothing`])
      .map((line) => make("span", { class: line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@") ? "at" : "" }, line)));
    [...list.children].forEach((item, m) => item.firstChild.setAttribute("aria-pressed", `${m === n}`));
  };
  const list = make("ol", {}, ...passes.map((pass, n) => make("li", { class: pass.lines.length ? "" : "same" },
    make("button", { type: "button", onclick: () => showPass(n) }, pass.name), make("span", { class: "dim" }, ` .${pass.level} `),
    pass.lines.length ? `+${pass.lines.filter((l) => l.startsWith("+")).length} −${pass.lines.filter((l) => l.startsWith("-")).length}` : "")));
  view.append(make("div", { class: "passes" }, list, diff));
  const edited = passes.findIndex((pass) => pass.name === "edited");
  const first = edited >= 0 ? edited : passes.findIndex((pass) => pass.lines.length);
  showPass(state.pass ?? Math.max(0, first));
}

function viewRoofline(view) {
  const m = kernel().measured, rate = (x) => (x / 1e9).toFixed(x < 1e10 ? 2 : 0);
  const intensity = m.operations / m.bytes, got = m.operations / m.seconds;
  const w = 620, h = 300, left = 70, low = Math.log10(Math.min(.05, intensity / 4)), high = Math.log10(Math.max(40, intensity * 4, 4 * m.peak / m.bandwidth));
  const bottom = Math.log10(Math.min(got, m.bandwidth * 10 ** low) / 3), up = Math.log10(m.peak * 2);
  const x = (value) => left + (Math.log10(value) - low) / (high - low) * (w - left - 20), y = (value) => 20 + (up - Math.log10(value)) / (up - bottom) * (h - 60);
  const inner = canvas(view, w + 330, h, "roofline");
  const text = (px, py, words, kind = "") => inner.append(Object.assign(svg("text", { x: px, y: py, class: kind }), { textContent: words }));
  const bend = m.peak / m.bandwidth;
  inner.append(svg("path", { class: "roof", d: `M${x(10 ** low)},${y(m.bandwidth * 10 ** low)}L${x(bend)},${y(m.peak)}L${x(10 ** high)},${y(m.peak)}` }));
  inner.append(svg("line", { class: "grid", x1: left, x2: w, y1: h - 40, y2: h - 40 }), svg("line", { class: "grid", x1: left, x2: left, y1: 10, y2: h - 40 }));
  for (let power = Math.ceil(low); power <= high; ++power) text(x(10 ** power) - 8, h - 24, `${10 ** power}`, "dim");
  for (let power = Math.ceil(bottom); power <= up; ++power) text(4, y(10 ** power) + 4, `${10 ** power / 1e9}`, "dim");
  text(w / 2 - 60, h - 6, "operations for a byte", "dim");
  text(4, 12, "GFLOP/s", "dim");
  const floorAt = Math.min(m.peak, m.bandwidth * intensity);
  inner.append(svg("line", { class: "arrow", x1: x(intensity), x2: x(intensity), y1: y(got), y2: y(floorAt), "stroke-dasharray": "3 3" }));
  inner.append(svg("circle", { class: "bar", cx: x(intensity), cy: y(got), r: 6 }));
  const said = [`${kernel().name} on ${short(m.device, 38)}`, `${number(m.elements)} elements, ${(m.seconds * 1e9).toFixed(1)} ns each`, `${rate(got)} GFLOP/s, ${rate(m.bytes / m.seconds)} GB/s`,
    `floor: ${(m.floor * 1e9).toFixed(1)} ns, ${m.bytes / m.bandwidth > m.operations / m.peak ? "to move its bytes" : "to multiply"}`, `share of the floor: ${(100 * m.share).toFixed(0)} %`,
    `copying a large array: ${rate(m.bandwidth)} GB/s`, `our product of 64 x 64: ${rate(m.peak)} GFLOP/s`];
  said.forEach((words, n) => text(w + 16, 40 + 20 * n, words, n > 4 ? "dim" : ""));
}

start();
