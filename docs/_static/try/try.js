// The editor: what is written goes to the worker, the level that is chosen comes back. The address holds text and level.
const PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.29.5/full/";
const PACKAGES = ["lark", "einsum-front==1.0.0"];
const WAIT = 400; // ms without a key before a text is translated
const LEVELS = {
  explain: "explanation", inspect: "inspector", graph: "graph", plan: "plan", yir: "YATeTo language",
  tl: "tensor language", schedule: "schedule", cl: "OpenCL C", c: "C", cu: "CUDA", sycl: "SYCL", linalg: "MLIR",
};
const EXAMPLES = {
  "an index string": "kl,lq,qp->kp 20,20 20,9 9,9",
  "a kernel of ADER-DG": `param  B = 20
tensor Q[B, 9]           # one per element
tensor I[B, 9]
tensor A[9, 9]
tensor K[B, B] constant  # one for all elements

kernel volume { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
`,
  "a layer with a bias": `tensor X[32, 16]
tensor W[16, 8] constant
tensor b[8]     constant
tensor Y[32, 8]

kernel layer { Y[i,j] = relu(X[i,k] * W[k,j] + b[j]) }
`,
};

const $ = (id) => document.getElementById(id);
const held = new URLSearchParams(location.hash.slice(1));
const asked = new URLSearchParams(location.search);
const state = {
  text: held.get("text") ?? Object.values(EXAMPLES)[0],
  level: held.get("level") in LEVELS ? held.get("level") : "explain",
  number: 0, since: 0, isReady: false,
};

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const own = asked.get("pyodide"); // tests have one; a link must not name the script of somebody else
const isOwn = own !== null && new URL(own, location).origin === location.origin;
worker.postMessage({ start: { pyodide: isOwn ? own : PYODIDE, packages: PACKAGES } });
worker.onmessage = ({ data }) => {
  if (data.said) return say(data.said);
  if (data.ready) { state.isReady = true; return translate(); }
  if (data.failed && !state.isReady) { // the last line is the reason; a traceback stands before it
    $("made").textContent = data.failed;
    return say(`Python could not be loaded: ${data.failed.trimEnd().split("\n").at(-1)}`, true);
  }
  if (data.number !== state.number) return; // the text has changed since
  const seconds = ((performance.now() - state.since) / 1000).toFixed(1);
  const isWrong = Boolean(data.error ?? data.failed);
  say(isWrong ? "The text has mistakes." : `${LEVELS[state.level]}: ${seconds} s`, isWrong);
  $("page").hidden = data.page === undefined;
  $("made").hidden = data.page !== undefined;
  if (data.page !== undefined) $("page").srcdoc = data.page;
  else $("made").textContent = data.text ?? data.error ?? data.failed;
  document.body.dataset.shown = data.number;
};

function say(words, isWrong = false) {
  $("said").textContent = words;
  $("said").classList.toggle("wrong", isWrong);
}

function translate() {
  history.replaceState(null, "", "#" + new URLSearchParams({ level: state.level, text: state.text }));
  if (!state.isReady) return;
  state.number += 1;
  state.since = performance.now();
  say("Translating …");
  worker.postMessage({ number: state.number, text: state.text, level: state.level });
}

function choose(level) {
  state.level = level;
  for (const tab of $("levels").children) tab.setAttribute("aria-selected", tab.dataset.level === level);
  translate();
}

for (const [level, name] of Object.entries(LEVELS)) {
  const tab = Object.assign(document.createElement("button"), { textContent: name, onclick: () => choose(level) });
  tab.setAttribute("role", "tab");
  tab.dataset.level = level;
  $("levels").append(tab);
}
for (const name of ["", ...Object.keys(EXAMPLES)]) $("examples").append(new Option(name || "…", name));
$("examples").onchange = ({ target }) => {
  if (target.value) $("text").value = state.text = EXAMPLES[target.value];
  translate();
};
let timer;
$("text").value = state.text;
$("text").oninput = () => {
  state.text = $("text").value;
  clearTimeout(timer);
  timer = setTimeout(translate, WAIT);
};
$("link").onclick = async () => {
  await navigator.clipboard.writeText(location.href);
  say("The link is in the clipboard.");
};
choose(state.level);
