// Runs before anything is installed, on whatever Node there is: says in one line what would otherwise fail later and less clearly.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Onward needs Node 20.19 or newer; this is ${process.versions.node}\n`)
  process.exit(1)
}
