// Setup file of tests: what they and the code under test write to stdout and stderr counts as console output. The reporter
// prints it only for a file that fails.
for (const stream of [process.stdout, process.stderr]) {
  const print = stream === process.stdout ? "log" : "error";
  stream.write = (chunk, encoding, callback) => {
    console[print](String(chunk).replace(/\n$/, ""));
    const done = typeof encoding === "function" ? encoding : callback;
    if (done) queueMicrotask(done);
    return true;
  };
}
