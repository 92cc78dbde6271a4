// Runs before anything is installed, on any version of Node. Without it, an old version would fail later with a less clear error.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Onward needs Node 20.19 or newer; this is ${process.versions.node}\n`)
  process.exit(1)
}
