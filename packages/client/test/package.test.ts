import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_UNPACKED_BYTES = 350_000
const ENTRIES = ['', '/browser', '/tools', '/webhooks']

let folder: string
let packed: { readonly filename: string; readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-client-'))
  const { stdout } = await run(process.execPath, ['packages/client/pack.mjs', '--json', '--pack-destination', folder])
  packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true }))

/** What `onward types` prints. */
const DECLARED = `import '@onward/client'
declare module '@onward/client' {
  interface FunctionArguments {
    "declared": { readonly "text": string }
  }
}
`

/** Writes a program into the fresh folder, runs it with Node, and returns its output. */
async function output(file: string, code: string): Promise<string> {
  await writeFile(join(folder, file), code)
  return (await run(process.execPath, [file], { cwd: folder })).stdout.trim()
}

describe('the packed package in a fresh folder', () => {
  it('exports only files that it contains, and no sources', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@onward/client/package.json'), 'utf8'))
    const exported = JSON.stringify(manifest.exports)
    const paths = [...exported.matchAll(/:"(.*?)"/g)].map(([, path]) => path)
    expect(paths).toHaveLength(17)
    expect(packed.files.map(({ path }) => `./${path}`)).toEqual(expect.arrayContaining([...paths, manifest.main, manifest.types]))
    expect(exported).not.toContain('"source"')
  })

  it.each(ENTRIES)('can be imported and required as @onward/client%s', async (entry) => {
    const names = 'console.log(Object.keys(entry).sort().join())'
    const imported = await output('a.mjs', `import * as entry from '@onward/client${entry}'\n${names}`)
    expect(imported).not.toBe('')
    expect(await output('a.cjs', `const entry = require('@onward/client${entry}')\n${names}`)).toBe(imported)
  })

  it.each([
    ['ES modules', 'module', 'nodenext'],
    ['CommonJS', 'commonjs', 'nodenext'],
    ['a bundler', 'module', 'bundler'],
  ])('has types for %s', async (_name, type, resolution) => {
    const program = `import { ApiError, Onward } from '@onward/client'
import { loadTools } from '@onward/client/tools'
import { unwrap } from '@onward/client/webhooks'
const user = new Onward({ baseUrl: 'https://x', appKey: 'k', appSecret: 's' }).forUser('joe')
export async function run(): Promise<number> {
  const { networkCode } = await user.functions.call('f', { a: 1 })
  const tools = await loadTools(user, 'anthropic')
  const name: string = tools.definitions[0]?.name ?? ''
  // @ts-expect-error there is no such option
  void unwrap(name, {}, 's', { tolerance: 1 })
  // @ts-expect-error the argument must be text
  void user.functions.call('declared', { text: 1 })
  void user.functions.call('declared', { text: 'hi' })
  return networkCode + (await user.apps.list().toArray()).length + (new Error() instanceof ApiError ? 1 : 0)
}
`
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
    await writeFile(join(folder, 'program.ts'), program)
    await writeFile(join(folder, 'onward.d.ts'), DECLARED)
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
    const modules = resolution === 'bundler' ? ['--module', 'esnext', '--moduleResolution', 'bundler'] : ['--module', 'nodenext']
    const { stdout } = await run(resolve('node_modules/.bin/tsc'), [...options, ...modules, 'program.ts', 'onward.d.ts'], {
      cwd: folder,
    }).catch((err) => err)
    expect(stdout).toBe('')
  })

  it('has no dependency, and modules that need no Node', async () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      await readFile(join(folder, 'node_modules/@onward/client/package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies]).toEqual([{}, {}])
    const modules = packed.files.filter(({ path }) => /^dist\/(esm|cjs)\/.*\.js$/.test(path))
    expect(modules.length).toBeGreaterThan(20)
    for (const { path } of modules) {
      const text = await readFile(join(folder, 'node_modules/@onward/client', path), 'utf8')
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
      const foreign = [...code.matchAll(/(?:from |require\()["']([^"']+)["']/g)]
        .map(([, name]) => name)
        .filter((name) => !name?.startsWith('.'))
      expect([path, foreign]).toEqual([path, []])
    }
  })

  it('is small, and has its README and changelog', () => {
    expect(packed.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES)
    expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']))
  })
})
