// The first program of `npm start`. It runs before anything is installed, so it uses only Node.
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

require('./require-node.cjs')
const { choosePorts, readArguments } = require('./choose-ports.cjs')

const INSTALL = ['-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile']

begin().catch((err) => {
  process.stderr.write(`Onward did not start: ${err.message}\n`)
  process.exitCode = 1
})

async function begin() {
  Object.assign(process.env, await choosePorts(process.env, readArguments(process.argv.slice(2))))
  const { status } = spawnSync('npx', INSTALL, { cwd: join(__dirname, '../..'), stdio: 'inherit' })
  if (status !== 0) throw new Error('the dependencies could not be installed')
  // Loads TypeScript, as `node --import tsx` does.
  const { register } = await import('tsx/esm/api')
  register()
  await import('./src/main.ts')
}
