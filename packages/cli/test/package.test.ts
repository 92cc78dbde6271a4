import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { build } from 'esbuild'
import { TOKEN } from './stage.ts'

const run = promisify(execFile)
const MAX_CPU_SECONDS = 0.5
/** Prints the CPU time of the process, in seconds, when it ends. */
const CPU = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  console.error((user + system) / 1e6)
})`

let folder: string
let files: string[]
let service: ScriptedServer

jest.setTimeout(180_000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-cli-'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: 'packages/cli' })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  files = packed.files.map(({ path }: { path: string }) => path)
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder })
  service = await openScriptedServer()
})

afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const onward = async (...args: string[]) =>
  (await run('node_modules/.bin/onward', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ONWARD_ADMIN_TOKEN: TOKEN } }))
    .stdout

/** Runs the installed command and returns its CPU time in seconds. */
async function cpuOf(...args: string[]): Promise<number> {
  const measured = ['--import', `data:text/javascript,${encodeURIComponent(CPU)}`, 'node_modules/.bin/onward', ...args]
  return Number((await run(process.execPath, measured, { cwd: folder })).stderr)
}

describe('the packed command, installed in a fresh folder', () => {
  it('contains the licences of the packages in its bundle, and needs no other package', async () => {
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/onward.mjs', 'package.json'])
    expect(await readFile(join(folder, 'node_modules/@onward/cli/dist/LICENSES.txt'), 'utf8')).toMatch(/^commander \d/m)
    expect((await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')).match(/"node_modules\//g)).toHaveLength(1)
  })

  it('has no path in its package.json except that of the command', async () => {
    const { bin, main, exports } = JSON.parse(await readFile(join(folder, 'node_modules/@onward/cli/package.json'), 'utf8'))
    expect({ bin, main, exports }).toEqual({ bin: { onward: './dist/onward.mjs' }, main: undefined, exports: undefined })
  })

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile('packages/cli/package.json', 'utf8'))
    expect(await onward('--version')).toBe(`${version}\n`)
  })

  it.each(['--version', '--help'])('answers %s in less than half a second of CPU time', async (option) => {
    const seconds = [await cpuOf(option), await cpuOf(option), await cpuOf(option)]
    expect(Math.min(...seconds)).toBeLessThan(MAX_CPU_SECONDS)
  })

  it('runs a command of the admin API', async () => {
    service.respond((_received, response) => sendJson(response, 200, { workspaces: [] }))
    expect(JSON.parse(await onward('workspace', 'list', '--json', '--insights-url', service.url))).toEqual({ workspaces: [] })
  })

  it('compiles and imports apps', async () => {
    await writeFile(join(folder, 'app.yaml'), OPENAPI)
    expect(await onward('catalog', 'import', 'app.yaml', '--name', 'pets', '--dry-run')).toContain('1 new')
    expect(JSON.parse(await onward('catalog', 'lint', '--json', join(process.cwd(), 'packages/dev-env/apps')))).toMatchObject({ apps: 1 })
  })
})

const OPENAPI = `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: https://pets.example }]
paths:
  /pets:
    get: { operationId: listPets, summary: List pets, responses: { '200': { description: ok } } }
`

describe('the start of the command', () => {
  it('imports nothing but its own modules, commander and the reader of JSON: the rest is imported by the commands', async () => {
    const { metafile } = await build({
      absWorkingDir: resolve('packages/cli'),
      entryPoints: ['src/main.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      conditions: ['source'],
      mainFields: ['module', 'main'],
    })
    const imported = new Set<string>()
    const add = (file: string) => {
      if (imported.has(file)) return
      imported.add(file)
      for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) if (kind !== 'dynamic-import' && !external) add(path)
    }
    add('src/main.ts')
    const isLarge = (file: string) => !file.startsWith('src/') && !file.startsWith('../json/') && !file.includes('/commander/')
    expect([...imported].filter(isLarge)).toEqual([])
    expect([...imported].filter((file) => file.startsWith('src/commands/'))).toEqual([])
    expect(Object.keys(metafile.inputs).some((file) => file.includes('/axios/'))).toBe(true)
  })
})
