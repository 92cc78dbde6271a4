// Builds a release from a tag, in a fresh clone: the image, the Helm chart, the packages, the sources, the SBOM, and signed checksums.
// infra/README.md says how to make a key, and how to verify and install a release.
//   node infra/release.mjs v0.1.0 --key release-key.pem [--to folder] [--source url] [--node-image image] [--without-image] [--without-python]
import { spawnSync } from 'node:child_process'
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    to: { type: 'string' },
    source: { type: 'string', default: 'unknown' },
    'node-image': { type: 'string' },
    'without-image': { type: 'boolean', default: false },
    'without-python': { type: 'boolean', default: false },
  },
})

try {
  await release()
} catch (err) {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 1
}

async function release() {
  const [tag] = positionals
  if (positionals.length !== 1) throw new Error('name the tag: node infra/release.mjs v0.1.0 --key release-key.pem')
  const key = readKey()
  // Before the build, which takes minutes.
  const engine = values['without-image'] ? undefined : findEngine()
  const clone = mkdtempSync(join(tmpdir(), 'onward-release-'))
  try {
    run('git', [
      'clone',
      '--quiet',
      '--config',
      'advice.detachedHead=false',
      '--depth=1',
      '--branch',
      tag,
      `file://${process.cwd()}`,
      clone,
    ])
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    if (tag !== `v${version}`) throw new Error(`${tag} has the version ${version}; tag a commit with this version as v${version}`)
    const to = resolve(values.to ?? `.onward/onward-${version}`)
    if (existsSync(to)) throw new Error(`${to} exists; remove it, or name another folder with --to`)
    mkdirSync(to, { recursive: true })
    build({ clone, to, version, engine })
    await signFolder(to, key)
    process.stdout.write(`${to}\n`)
  } finally {
    rmSync(clone, { recursive: true })
  }
}

function build({ clone, to, version, engine }) {
  const inClone = (command, ...args) => run(command, args, { cwd: clone })
  inClone('npx', '-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile', '--prefer-offline')
  inClone('git', 'archive', `--prefix=onward-${version}/`, `--output=${join(to, `onward-${version}-source.tar.gz`)}`, 'HEAD')
  // A package of Helm is an archive of the chart, in which files replace the links to files of `infra`.
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name']
  const chart = join(to, `onward-chart-${version}.tgz`)
  inClone('tar', '--create', '--gzip', '--dereference', ...owner, '--transform=s,^chart,onward,', `--file=${chart}`, '-C', 'infra', 'chart')
  const packages = join(to, 'packages')
  const { status } = spawnSync(process.execPath, ['infra/pack.mjs', packages], { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] })
  const python = existsSync(packages) && readdirSync(packages).some((file) => file.endsWith('.whl'))
  if (status !== 0 && (python || !values['without-python'])) {
    throw new Error('the packages are not complete; --without-python releases without the Python client')
  }
  const listed = engine === undefined ? [] : [buildImage({ clone, to, version, engine })]
  writeFileSync(join(to, 'sbom.cdx.json'), inClone(process.execPath, 'infra/dependencies.mjs', 'sbom', ...listed))
}

/** Saves the image, and returns the file with its packages. */
function buildImage({ clone, to, version, engine }) {
  const image = `onward:${version}`
  const revision = run('git', ['rev-parse', 'HEAD'], { cwd: clone }).trim()
  const base = values['node-image'] === undefined ? [] : ['--build-arg', `NODE_IMAGE=${values['node-image']}`]
  const labels = ['--build-arg', `REVISION=${revision}`, '--build-arg', `SOURCE=${values.source}`]
  run(engine, ['build', '--file', 'infra/Dockerfile', ...base, ...labels, '--tag', image, '.'], { cwd: clone })
  run(engine, ['save', '--output', join(to, `onward-image-${version}.tar`), image])
  const listed = join(clone, 'image.txt')
  const list = readFileSync(join(clone, 'infra/list-image.sh'))
  writeFileSync(listed, run(engine, ['run', '--rm', '--interactive', '--network=none', '--entrypoint=sh', image], { input: list }))
  return listed
}

function findEngine() {
  const found = ['docker', 'podman'].find((engine) => spawnSync(engine, ['info'], { stdio: 'ignore' }).status === 0)
  if (found === undefined) throw new Error('neither docker nor podman works here; --without-image releases without the image')
  return found
}

function readKey() {
  if (values.key === undefined) throw new Error('name a key with --key: openssl genpkey -algorithm ed25519 -out release-key.pem')
  const key = createPrivateKey(readFileSync(values.key))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${values.key} must be an ed25519 key, not ${key.asymmetricKeyType}`)
  return key
}

/** Writes SHA256SUMS for `sha256sum --check`, and its signature. */
async function signFolder(folder, key) {
  const files = readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .sort()
  const lines = []
  for (const file of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    lines.push(`${hash.digest('hex')}  ${relative(folder, file)}\n`)
  }
  const sums = Buffer.from(lines.join(''))
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, sums, key))
}

/** Returns what a command prints. Throws an error if it fails. */
function run(command, args, options = {}) {
  const stdio = [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit']
  const { status, stdout, error } = spawnSync(command, args, { stdio, encoding: 'utf8', maxBuffer: 64 * 1_048_576, ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
  return stdout
}
