// `npm run pack`: packs the TypeScript client, the `onward` command and the Python client into .onward/packages, or into the folder that is
// given. They install from there without the registry.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const to = resolve(process.argv[2] ?? join(root, '.onward/packages'))
rmSync(to, { recursive: true, force: true })
mkdirSync(to, { recursive: true })

run(process.execPath, [join(root, 'packages/client/pack.mjs'), '--silent', '--pack-destination', to])
run('npm', ['pack', '--silent', join(root, 'packages/cli'), '--pack-destination', to])
packPython()
for (const file of readdirSync(to)) process.stdout.write(`${join(to, file)}\n`)

/** Builds the wheel from a copy, because setuptools writes beside the sources. */
function packPython() {
  const copy = mkdtempSync(join(tmpdir(), 'onward-client-python-'))
  try {
    cpSync(join(root, 'packages/client-python'), copy, { recursive: true })
    const wheel = ['-m', 'pip', '--quiet', 'wheel', '--no-deps', '--wheel-dir', to, copy]
    // With the build tools of this machine, or else those that pip downloads.
    const failures = []
    for (const how of [['--no-build-isolation'], []]) {
      const { status, stderr, error } = spawnSync('python3', [...wheel, ...how], { encoding: 'utf8' })
      if (status === 0) return
      failures.push(error?.message ?? stderr.trim())
    }
    process.stderr.write(
      'The Python client is not packed: this needs python3 with pip, and the Python packages setuptools and wheel.\n' +
        `With those of this machine:\n${failures[0]}\nWith downloaded ones:\n${failures[1]}\nThe other two packages are ready.\n`,
    )
    process.exitCode = 1
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}
