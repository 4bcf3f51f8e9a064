// Python in a thread of its own. Messages: {start: {pyodide, packages}}, then {number, text, level} for each level.
let levelOf;

async function start({ pyodide: address, packages }) {
  const { loadPyodide } = await import(address + "pyodide.mjs");
  postMessage({ said: "Loading Python …" });
  const pyodide = await loadPyodide({ indexURL: address });
  postMessage({ said: "Loading NumPy …" });
  await pyodide.loadPackage(["numpy", "micropip"]);
  postMessage({ said: "Loading einsum-front …" });
  await pyodide.runPythonAsync(
    `import micropip\nawait micropip.install(${JSON.stringify(packages)}, deps=False)`);
  await pyodide.runPythonAsync(await (await fetch(new URL("levels.py", import.meta.url))).text());
  levelOf = pyodide.globals.get("level_of");
}

let ready;
onmessage = async ({ data }) => {
  try {
    ready ??= start(data.start ?? {});
    await ready;
    if (data.start) return postMessage({ ready: true });
    postMessage({ number: data.number, ...JSON.parse(await levelOf(data.text, data.level)) });
  } catch (error) {
    postMessage({ number: data.number, failed: String(error.message ?? error) });
  }
};
