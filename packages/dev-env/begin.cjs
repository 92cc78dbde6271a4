// The first program of `npm start`. It runs before anything is installed, so it uses only Node.
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

require('./require-node.cjs')
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
const { choosePorts, readArguments, USAGE } = require('./choose-ports.cjs')
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
const { runningIn } = require('./running.cjs')

const ROOT = join(__dirname, '../..')
const INSTALL = ['-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile']

begin().catch((err) => {
  process.stderr.write(`Onward did not start: ${err.message}\n`)
  process.exitCode = 1
})

async function begin() {
  const how = readArguments(process.argv.slice(2))
  if (how === 'help') return void process.stdout.write(USAGE)
  const running = runningIn(join(ROOT, '.onward'))
  if (running !== undefined) throw new Error(running)
  Object.assign(process.env, await choosePorts(process.env, how))
  const { status } = spawnSync('npx', INSTALL, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error('the dependencies could not be installed')
  // Loads TypeScript, as `node --import tsx` does.
  const { register } = await import('tsx/esm/api')
  register()
  await import('./src/main.ts')
}
