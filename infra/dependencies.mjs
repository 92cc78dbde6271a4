// `pnpm sbom` prints the packages that the image contains as a CycloneDX 1.6 document. Given the output of `list-image.sh`, it includes
// Node and the packages of the distribution: `node infra/dependencies.mjs sbom image.txt`. `pnpm check` checks their licences, and the checksums
// and deprecated packages of the lock file. `pnpm audit-dependencies` also looks for known vulnerabilities.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that allow to distribute Onward under Apache-2.0 without further conditions. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1', 'Unlicense']

/** What the image contains: the services, and the packages that are bundled with the command and the console. */
const ROOTS = [
  'services/functions',
  'services/insights',
  'packages/client',
  'packages/contract-client',
  'packages/openapi',
  'packages/console',
]

/** @returns {{ name: string, version: string, license: string }[]} the packages of others in the image, by name */
function imagePackages() {
  const found = new Map()
  // The command lists all that it bundles as development dependencies.
  for (const [folder, names] of [...ROOTS.map((root) => [root, dependencies(root)]), ['packages/cli', ['commander']]]) {
    for (const name of names) add(found, folder, name)
  }
  return [...found.values()]
    .filter(({ name }) => !name.startsWith('@onward/'))
    .sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`))
}

/** Adds a dependency of the package in `folder`, and all that it depends on, to `found`, by folder. */
function add(found, folder, name) {
  // pnpm puts the dependencies of a package beside it.
  const link = [join(folder, 'node_modules', name), join(folder.replace(/(.*\/node_modules)\/.*/, '$1'), name)].find(existsSync)
  // Optional dependencies may be missing.
  if (link === undefined) return
  const target = realpathSync(link)
  if (found.has(target)) return
  const { version, license } = manifest(target)
  found.set(target, { name, version, license })
  for (const next of dependencies(target)) add(found, target, next)
}

/** @returns {string[]} */
function dependencies(folder) {
  const { dependencies, optionalDependencies, peerDependencies } = manifest(folder)
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** @returns {Map<string, { sha512: string | undefined, deprecated: boolean }>} what the lock file says about each `name@version` */
function lockedPackages() {
  const [, packages = ''] = readFileSync('pnpm-lock.yaml', 'utf8').split(/^packages:$/m)
  const entries = packages.split(/^snapshots:$/m)[0].split(/\n(?= {2}\S)/)
  return new Map(
    entries.flatMap((entry) => {
      const id = /^ {2}'?([^\s']+?)'?:$/m.exec(entry)?.[1]
      const integrity = /integrity: sha512-([\w+/=]+)/.exec(entry)?.[1]
      const sha512 = integrity && Buffer.from(integrity, 'base64').toString('hex')
      return id === undefined ? [] : [[id, { sha512, deprecated: /^ {4}deprecated:/m.test(entry) }]]
    }),
  )
}

/** Prints the document. Without `file`, it says that its list is incomplete. */
function sbom(file) {
  const locked = lockedPackages()
  const npm = imagePackages().map(({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const sha512 = locked.get(`${name}@${version}`)?.sha512
    const hashes = sha512 === undefined ? [] : [{ alg: 'SHA-512', content: sha512 }]
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }], hashes }
  })
  const { version } = manifest('.')
  const purl = `pkg:generic/onward@${version}`
  const component = { type: 'application', 'bom-ref': purl, name: 'onward', version, purl, licenses: [{ license: { id: 'Apache-2.0' } }] }
  const metadata = { timestamp: new Date().toISOString(), component }
  const components = [...npm, ...(file === undefined ? [] : listedComponents(readFileSync(file, 'utf8')))]
  const compositions = [{ aggregate: file === undefined ? 'incomplete' : 'complete', assemblies: [purl] }]
  console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components, compositions }, null, 2))
}

/** Returns Node and the Debian packages that `list-image.sh` printed. Their licences are in the image, in /usr/share/doc. */
function listedComponents(text) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const [, os, release] = lines.find(([kind]) => kind === 'os') ?? []
  if (os === undefined) throw new Error('the list of the image has no line "os": it must be the output of infra/list-image.sh')
  return lines.flatMap(([kind, name, version, arch]) => {
    if (kind === 'node') return [named('application', 'node', name.slice(1), `pkg:generic/node@${name.slice(1)}`)]
    if (kind !== 'deb') return []
    const purl = `pkg:deb/${os}/${encodeURIComponent(name)}@${encodeURIComponent(version).replaceAll('%3A', ':')}?arch=${arch}&distro=${os}-${release}`
    return [named('library', name, version, purl)]
  })
}

const named = (type, name, version, purl) => ({ type, 'bom-ref': purl, name, version, purl })

/** Prints what is wrong with the packages, as far as it shows without a registry. */
function check() {
  const packages = imagePackages()
  const locked = lockedPackages()
  const problems = packages
    .filter(({ license }) => !LICENCES.includes(license))
    .map(({ name, version, license }) => `${name}@${version} has the licence ${license}`)
  for (const [id, { sha512, deprecated }] of locked) {
    if (sha512 === undefined) problems.push(`${id} has no SHA-512 checksum in pnpm-lock.yaml`)
    if (deprecated) problems.push(`${id} is deprecated`)
  }
  console.log(`${packages.length} packages in the image, ${locked.size} in pnpm-lock.yaml: licences, checksums and deprecation checked`)
  report(problems)
}

function audit() {
  check()
  const { status, stdout, stderr } = pnpm('audit', '--prod')
  if (/ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)|ENOTFOUND|ECONNREFUSED/.test(stdout + stderr)) {
    console.log('known vulnerabilities were not checked: the registry has no audit endpoint')
  } else if (status === 0) {
    console.log('no known vulnerabilities')
  } else {
    report([stdout || stderr])
  }
}

function report(problems) {
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exitCode = 1
}

function pnpm(...args) {
  return spawnSync('npx', ['-y', '--prefer-offline', 'pnpm@10.34.9', ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
}

const commands = { sbom, check, audit }
const command = commands[process.argv[2]]
if (command === undefined) throw new Error(`usage: node infra/dependencies.mjs ${Object.keys(commands).join('|')}`)
command(process.argv[3])
