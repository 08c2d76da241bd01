// Unpacks the program: a gzip file with the length of a list of names and sizes, the list, the files.

// Returns [[path, bytes], ...] of a response.
export async function unpack(response) {
  const { body } = await response;
  const bytes = new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  const start = 4 + new DataView(bytes.buffer).getUint32(0);
  const names = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  let at = start;
  return names.map(([path, size]) => {
    at += size;
    return [path, bytes.subarray(at - size, at)];
  });
}

// Writes the files below a folder of Pyodide's file system.
export function writeFiles(FS, folder, files) {
  const made = new Set();
  for (const [path, bytes] of files) {
    const parent = `${folder}/${path.slice(0, path.lastIndexOf("/"))}`;
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(`${folder}/${path}`, bytes);
  }
}
