import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { VENDOR_PROGRAMS } from './vendors.ts'

const run = promisify(execFile)
const MAX_UNPACKED_BYTES = 390_000
const ENTRIES = ['', '/browser', '/react', '/tools', '/webhooks']

let folder: string
let packed: { readonly filename: string; readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-client-'))
  const { stdout } = await run(process.execPath, ['packages/client/pack.mjs', '--json', '--pack-destination', folder])
  packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder })
  // The entry for React needs it, and it is an optional peer.
  await link('react')
})

afterAll(() => rm(folder, { recursive: true }))

/** What `onward types` prints. */
const DECLARED = `import type { FileInput } from '@onward/client'
declare module '@onward/client' {
  interface FunctionArguments {
    "declared": { readonly "text": string; readonly "file"?: FileInput }
  }
}
`

const TYPESCRIPT = resolve('node_modules/typescript/bin/tsc')
const OLD_TYPESCRIPT = resolve('packages/client/node_modules/typescript-5/bin/tsc')
const COMPILERS = { all: [TYPESCRIPT, OLD_TYPESCRIPT], old: [OLD_TYPESCRIPT] }
const VENDORS = ['@anthropic-ai/sdk', '@google/genai', '@langchain/core', '@types/node', 'ai', 'openai']

/** Returns what the compiler reports. */
async function compile(compiler: string, options: readonly string[]): Promise<string> {
  const strict = ['--noEmit', '--strict', '--target', 'es2022', ...options]
  const { stdout, stderr } = await run(process.execPath, [compiler, ...strict], { cwd: folder }).catch((err) => err)
  return stdout + stderr
}

/** Puts a package of this repository into the fresh folder. */
async function link(name: string): Promise<void> {
  const from = [`packages/client/node_modules/${name}`, `node_modules/${name}`].map((path) => resolve(path)).find(existsSync)
  const to = join(folder, 'node_modules', name)
  await mkdir(dirname(to), { recursive: true })
  await symlink(from ?? '', to)
}

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
    expect(paths).toHaveLength(16)
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
    ['an ES module in a CommonJS package', 'commonjs', 'nodenext', 'program.mts'],
    ['a bundler', 'module', 'bundler'],
    ['the resolution before package exports', 'commonjs', 'node10'],
  ])('has types for %s', async (_name, type, resolution, file = 'program.ts') => {
    const program = `import { ApiError, Onward, OnwardInsights } from '@onward/client'
import { loadTools } from '@onward/client/tools'
import { unwrap } from '@onward/client/webhooks'
const user = new Onward({ baseUrl: 'https://x', appKey: 'k', appSecret: 's' }).forUser('joe')
const insights = new OnwardInsights({ baseUrl: 'https://x', apiKey: 'k' })
export async function run(): Promise<number> {
  const { networkCode } = await user.functions.call('f', { a: 1 })
  const tools = await loadTools(user, 'anthropic')
  const name: string = tools.definitions[0]?.name ?? ''
  // @ts-expect-error there is no such option
  void unwrap(name, {}, 's', { tolerance: 1 })
  // @ts-expect-error the argument must be text
  void user.functions.call('declared', { text: 1 })
  void user.functions.call('declared', { text: 'hi', file: new Blob(['hi']) })
  // @ts-expect-error there is no such event
  void insights.subscriptions.create({ events: ['user_task_limit_80'], callbackUrl: 'https://x' })
  return networkCode + (await user.apps.list().toArray()).length + (new Error() instanceof ApiError ? 1 : 0)
}
`
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type }))
    await writeFile(join(folder, file), program)
    await writeFile(join(folder, 'onward.d.ts'), DECLARED)
    const module = { nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' }[resolution] ?? ''
    const modules = ['--module', module, '--moduleResolution', resolution, '--lib', 'es2022,dom']
    const errors = await Promise.all(
      COMPILERS[resolution === 'node10' ? 'old' : 'all'].map((each) => compile(each, [...modules, file, 'onward.d.ts'])),
    )
    expect(errors.join('')).toBe('')
  })

  it('passes tools to the packages of the vendors, as the README says', async () => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    for (const name of VENDORS) await link(name)
    const readme = await readFile('packages/client/README.md', 'utf8')
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
    expect(examples.length).toBeGreaterThan(14)
    const programs = [...examples, ...Object.values(VENDOR_PROGRAMS)]
    for (const [n, program] of programs.entries()) await writeFile(join(folder, `vendor-${n}.ts`), program)
    // The README says to save them as JavaScript.
    for (const [n, example] of examples.entries()) await writeFile(join(folder, `example-${n}.mjs`), example)
    const options = ['--module', 'nodenext', '--allowJs', '--skipLibCheck', '--exactOptionalPropertyTypes', '--types', 'node']
    const files = [...programs.map((_, n) => `vendor-${n}.ts`), ...examples.map((_, n) => `example-${n}.mjs`)]
    expect(await compile(TYPESCRIPT, [...options, '--lib', 'es2023,dom', ...files])).toBe('')
  })

  it('has no dependency but the optional React, and modules that need no Node', async () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      await readFile(join(folder, 'node_modules/@onward/client/package.json'), 'utf8'),
    )
    expect([dependencies, peerDependencies]).toEqual([{}, { react: '>=18' }])
    const modules = packed.files.filter(({ path }) => /^dist\/(esm|cjs)\/.*\.js$/.test(path))
    expect(modules.length).toBeGreaterThan(20)
    for (const { path } of modules) {
      const text = await readFile(join(folder, 'node_modules/@onward/client', path), 'utf8')
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '')
      const foreign = [...code.matchAll(/(?:from |require\()["']([^"']+)["']/g)]
        .map(([, name]) => name)
        .filter((name) => !name?.startsWith('.'))
      expect([path, foreign]).toEqual([path, path.endsWith('/react.js') ? ['react'] : []])
    }
  })

  it('is small, and has its README and changelog', () => {
    expect(packed.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES)
    expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']))
  })
})
