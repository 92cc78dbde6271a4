import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { parse } from 'yaml'

const SCRIPT = join(process.cwd(), 'infra/dependencies.mjs')

type Dependencies = Record<string, string>
type LockFile = {
  readonly importers: Record<string, { dependencies?: Record<string, { version: string }> }>
  readonly snapshots: Record<string, { dependencies?: Dependencies; optionalDependencies?: Dependencies; optional?: boolean }>
}

/** Returns `name@version` of every package that the services need at run time, according to pnpm-lock.yaml. */
function lockedForServices(): Set<string> {
  const { importers, snapshots }: LockFile = parse(readFileSync('pnpm-lock.yaml', 'utf8'))
  const found = new Set<string>()
  const addFolder = (folder: string) => {
    for (const [name, { version }] of Object.entries(importers[folder]?.dependencies ?? {})) {
      if (version.startsWith('link:')) addFolder(posix.join(folder, version.slice(5)))
      else add(`${name}@${version}`)
    }
  }
  const add = (key: string) => {
    const { dependencies, optionalDependencies, optional } = snapshots[key] ?? {}
    // Those of other platforms are not installed.
    if (found.has(key) || optional) return
    found.add(key)
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) add(`${name}@${version}`)
  }
  addFolder('services/functions')
  addFolder('services/insights')
  return new Set([...found].map((key) => key.replace(/\(.*/, '')))
}

describe('dependencies.mjs', () => {
  it('lists every package that the services need as a CycloneDX document', () => {
    const { components, metadata, ...document } = JSON.parse(execFileSync('node', [SCRIPT, 'sbom'], { encoding: 'utf8' }))
    const { version, purl } = metadata.component
    expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
    // It does not say that it lists the packages of Debian.
    const compositions = [{ aggregate: 'incomplete', assemblies: [purl] }]
    expect(document).toEqual({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, compositions })
    expect(metadata).toEqual({
      timestamp: new Date(metadata.timestamp).toISOString(),
      component: expect.objectContaining({ name: 'onward' }),
    })
    for (const { name, version, ...component } of components) {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      expect(component).toEqual({
        type: 'library',
        'bom-ref': purl,
        purl,
        licenses: [{ license: { id: expect.any(String) } }],
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      })
    }
    const ids: string[] = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...lockedForServices()].filter((id) => !ids.includes(id))).toEqual([])
    // Bundled with the command.
    expect(ids).toEqual(expect.arrayContaining([expect.stringMatching(/^commander@/), expect.stringMatching(/^jsonc-parser@/)]))
    expect(ids.filter((id) => /^(jest|typescript|supertest|esbuild)@/.test(id))).toEqual([])
  })

  it('also lists Node and the Debian packages of an image', () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-sbom-'))
    const image = join(folder, 'image.txt')
    const print = (text: string) => {
      writeFileSync(image, text)
      return spawnSync('node', [SCRIPT, 'sbom', image], { encoding: 'utf8' })
    }
    const printed = print('os debian 12\nnode v24.19.0\ndeb libstdc++6 12.2.0-14+deb12u1 amd64\ndeb tzdata 1:2025b-0 all\n')
    const { components, compositions } = JSON.parse(printed.stdout)
    expect(components.slice(-3)).toEqual(
      [
        { type: 'application', name: 'node', version: '24.19.0', purl: 'pkg:generic/node@24.19.0' },
        {
          type: 'library',
          name: 'libstdc++6',
          version: '12.2.0-14+deb12u1',
          purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
        },
        { type: 'library', name: 'tzdata', version: '1:2025b-0', purl: 'pkg:deb/debian/tzdata@1:2025b-0?arch=all&distro=debian-12' },
      ].map((component) => ({ ...component, 'bom-ref': component.purl })),
    )
    expect(compositions[0].aggregate).toBe('complete')
    expect(print('nothing').stderr).toContain('it must be the output of infra/list-image.sh')
    // This machine has what an image has, if it runs Debian.
    const listed = spawnSync('sh', ['infra/list-image.sh'], { encoding: 'utf8' })
    if (listed.status === 0) {
      const ofMachine = JSON.parse(print(listed.stdout).stdout).components.filter(({ purl }: { purl: string }) =>
        purl.startsWith('pkg:deb/'),
      )
      expect(ofMachine.length).toBe(listed.stdout.match(/^deb /gm)?.length)
      expect(ofMachine.length).toBeGreaterThan(50)
    }
    rmSync(folder, { recursive: true })
  })

  it('accepts the licences and checksums of all packages', () => {
    expect(spawnSync('node', [SCRIPT, 'check'], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+ packages in the image, \d+ in pnpm-lock.yaml: licences, checksums and deprecation checked\n$/),
    })
  })

  it('names packages with another licence, without a checksum, or deprecated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-dependencies-'))
    const put = (path: string, manifest: object) => {
      mkdirSync(join(folder, path), { recursive: true })
      writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest))
    }
    const parts = ['services/insights', 'packages/client', 'packages/contract-client', 'packages/openapi', 'packages/console']
    for (const part of parts) put(part, {})
    put('services/functions', { dependencies: { one: '1.0.0' } })
    put('services/functions/node_modules/one', { version: '1.0.0', license: 'MIT', dependencies: { two: '2.0.0' } })
    put('services/functions/node_modules/two', { version: '2.0.0', license: 'GPL-3.0-only' })
    const lock =
      'packages:\n\n  one@1.0.0:\n    resolution: {integrity: sha512-aGk=}\n    deprecated: use three\n\n  two@2.0.0:\n    resolution: {}\n\n'
    writeFileSync(join(folder, 'pnpm-lock.yaml'), `${lock}snapshots:\n`)
    const { status, stdout } = spawnSync('node', [SCRIPT, 'check'], { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(stdout.split('\n').slice(1, -1)).toEqual([
      'two@2.0.0 has the licence GPL-3.0-only',
      'one@1.0.0 is deprecated',
      'two@2.0.0 has no SHA-512 checksum in pnpm-lock.yaml',
    ])
    expect(status).toBe(1)
  })
})
