// `pnpm sbom` prints the packages that the images contain as a CycloneDX 1.6 document. `pnpm audit-dependencies` looks for known
// vulnerabilities, and checks what can be checked without a registry: licences, checksums and deprecated packages.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Licences that allow to distribute Onward under Apache-2.0 without further conditions. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense']

/** @returns {{ name: string, version: string, license: string }[]} the packages that the services need, by name */
function productionPackages() {
  // The bundle of the command contains its development dependencies.
  const bundled = licences('--dev', '--filter', '@onward/cli').filter(({ name }) => name === 'commander')
  const packages = [...licences('--prod'), ...bundled].flatMap(({ name, versions, license }) =>
    versions.map((version) => ({ name, version, license })),
  )
  return packages.sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`))
}

/** @returns {{ name: string, versions: string[], license: string }[]} */
function licences(...options) {
  const { stdout, status, stderr } = pnpm('licenses', 'list', '--json', ...options)
  if (status !== 0) throw new Error(`pnpm licenses failed: ${stderr || stdout}`)
  return Object.values(JSON.parse(stdout)).flat()
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

function sbom() {
  const locked = lockedPackages()
  const components = productionPackages().map(({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const sha512 = locked.get(`${name}@${version}`)?.sha512
    const hashes = sha512 === undefined ? [] : [{ alg: 'SHA-512', content: sha512 }]
    return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }], hashes }
  })
  const component = { type: 'application', name: 'onward', licenses: [{ license: { id: 'Apache-2.0' } }] }
  const metadata = { timestamp: new Date().toISOString(), component }
  console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }, null, 2))
}

function audit() {
  const problems = []
  const packages = productionPackages()
  for (const { name, version, license } of packages) {
    if (!LICENCES.includes(license)) problems.push(`${name}@${version} has the licence ${license}`)
  }
  const locked = lockedPackages()
  for (const [id, { sha512, deprecated }] of locked) {
    if (sha512 === undefined) problems.push(`${id} has no SHA-512 checksum in pnpm-lock.yaml`)
    if (deprecated) problems.push(`${id} is deprecated`)
  }
  console.log(`${packages.length} packages in the images, ${locked.size} in pnpm-lock.yaml: licences, checksums and deprecation checked`)

  const { status, stdout, stderr } = pnpm('audit', '--prod')
  if (/ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)|ENOTFOUND|ECONNREFUSED/.test(stdout + stderr)) {
    console.log('known vulnerabilities were not checked: the registry has no audit endpoint')
  } else if (status === 0) {
    console.log('no known vulnerabilities')
  } else {
    problems.push(stdout || stderr)
  }
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function pnpm(...args) {
  return spawnSync('npx', ['-y', '--prefer-offline', 'pnpm@10.34.9', ...args], { encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
}

const commands = { sbom, audit }
const command = commands[process.argv[2]]
if (command === undefined) throw new Error(`usage: node infra/dependencies.mjs ${Object.keys(commands).join('|')}`)
command()
