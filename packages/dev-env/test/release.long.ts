import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { VERSION } from '@onward/runtime'
import { openHelm } from './use-helm.ts'

const run = promisify(execFile)
const SCRIPT = join(process.cwd(), 'infra/release.mjs')
/** The commands with which infra/README.md verifies a release. */
const verify = async (cwd: string) => {
  const page = await readFile('infra/README.md', 'utf8')
  const [, commands = ''] = /```sh\n(openssl pkeyutl -verify[\s\S]*?)```/.exec(page) ?? []
  expect(commands).toContain('sha256sum --check')
  return await run('sh', ['-euc', commands], { cwd })
}

let folder: string
let repository: string
let release: string
const make = (...args: string[]) => run(process.execPath, [SCRIPT, ...args], { cwd: repository }).catch((err) => err)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-release-test-'))
  repository = join(folder, 'repository')
  release = join(folder, 'release')
  await run('git', ['clone', '--quiet', process.cwd(), repository])
  await run('git', ['tag', `v${VERSION}`], { cwd: repository })
  await run('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'key.pem'], { cwd: folder })
  await run('openssl', ['pkey', '-in', 'key.pem', '-pubout', '-out', 'onward-release.pub'], { cwd: folder })
})
afterAll(async () => await rm(folder, { recursive: true }))

it('a release is made from a tag, verifies with its public key, and installs without the registry', async () => {
  const made = await make(`v${VERSION}`, '--key', join(folder, 'key.pem'), '--to', release, '--without-image', '--without-python')
  expect([made.stdout, made.stderr]).toEqual([`${release}\n`, expect.any(String)])
  const files = (await readdir(release)).sort()
  const named = [`onward-${VERSION}-source.tar.gz`, `onward-chart-${VERSION}.tgz`, 'packages', 'sbom.cdx.json']
  expect(files).toEqual(['SHA256SUMS', 'SHA256SUMS.sig', ...named])
  const sums = await readFile(join(release, 'SHA256SUMS'), 'utf8')
  expect(sums).toContain(`packages/onward-cli-${VERSION}.tgz\n`)
  expect((await readdir(release, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length).toBe(
    sums.trim().split('\n').length + 2,
  )
  expect(JSON.parse(await readFile(join(release, 'sbom.cdx.json'), 'utf8')).metadata.component.version).toBe(VERSION)

  await run('cp', ['onward-release.pub', release], { cwd: folder })
  await verify(release)

  const clients = join(folder, 'clients')
  await run('mkdir', [clients])
  await writeFile(join(clients, 'package.json'), '{ "private": true }')
  const packed = ['cli', 'client'].map((name) => join(release, `packages/onward-${name}-${VERSION}.tgz`))
  // An empty cache, as on a machine that never had a network.
  await run('npm', ['install', '--offline', '--cache', join(folder, 'npm'), '--no-audit', '--no-fund', ...packed], { cwd: clients })
  expect((await run(join(clients, 'node_modules/.bin/onward'), ['--version'])).stdout).toBe(`${VERSION}\n`)

  const helm = await openHelm()
  if (helm !== undefined) {
    const values = join(repository, 'infra/chart/values/production.yaml')
    const rendered = await helm.run('template', 'onward', join(release, `onward-chart-${VERSION}.tgz`), '-f', values)
    expect(rendered).toBe(await helm.run('template', 'onward', join(repository, 'infra/chart'), '-f', values))
  }
}, 600_000)

it('a changed file, changed checksums and another key fail to verify', async () => {
  const chart = join(release, `onward-chart-${VERSION}.tgz`)
  const bytes = await readFile(chart)
  await appendFile(chart, 'x')
  await expect(verify(release)).rejects.toThrow('sha256sum')
  await writeFile(chart, bytes)
  await verify(release)

  const file = join(release, 'SHA256SUMS')
  const sums = await readFile(file)
  await writeFile(
    file,
    sums.toString().replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  await expect(verify(release)).rejects.toMatchObject({ stdout: expect.stringContaining('Signature Verification Failure') })
  await writeFile(file, sums)

  await run('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'other.pem'], { cwd: folder })
  await run('openssl', ['pkey', '-in', 'other.pem', '-pubout', '-out', join(release, 'onward-release.pub')], { cwd: folder })
  await expect(verify(release)).rejects.toMatchObject({ stdout: expect.stringContaining('Signature Verification Failure') })
})

it('a release says what it lacks: the tag, the key, a free folder, or a container engine', async () => {
  const key = ['--key', join(folder, 'key.pem'), '--without-image']
  expect((await make(...key)).stderr).toBe('name the tag: node infra/release.mjs v0.1.0 --key release-key.pem\n')
  expect((await make('v1', '--without-image')).stderr).toContain('name a key with --key')
  expect((await make('v99.0.0', ...key)).stderr).toContain('Remote branch v99.0.0 not found')
  expect((await make(`v${VERSION}`, ...key, '--to', folder)).stderr).toBe(`${folder} exists; remove it, or name another folder with --to\n`)
  await run('git', ['tag', 'v99.0.1'], { cwd: repository })
  expect((await make('v99.0.1', ...key)).stderr).toContain(`v99.0.1 has the version ${VERSION}`)
  await run('openssl', ['genrsa', '-out', 'rsa.pem'], { cwd: folder })
  expect((await make('v1', '--key', join(folder, 'rsa.pem'))).stderr).toContain('must be an ed25519 key, not rsa')
  const without = { cwd: repository, env: { ...process.env, PATH: folder } }
  const { stderr, code } = await run(process.execPath, [SCRIPT, 'v1', ...key.slice(0, 2)], without).catch((err) => err)
  expect([stderr, code]).toEqual(['neither docker nor podman works here; --without-image releases without the image\n', 1])
})
