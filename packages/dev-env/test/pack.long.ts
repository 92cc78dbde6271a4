import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The Python of the system, for which the packages that build a wheel are installed. */
const PATH = `/usr/bin:${process.env.PATH}`

it('npm run pack makes packages that install without the registry', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onward-packed-'))
  try {
    const packages = join(folder, 'packages')
    const packed = await run(process.execPath, ['infra/pack.mjs', packages], { env: { ...process.env, PATH } }).catch((err) => err)
    const files = await readdir(packages)
    expect(files.filter((file) => file.endsWith('.tgz'))).toEqual(['onward-cli-0.1.0.tgz', 'onward-client-0.1.0.tgz'])
    if (!files.includes('onward_client-0.1.0-py3-none-any.whl')) expect(packed.stderr).toContain('The Python client is not packed')

    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    const local = files.filter((file) => file.endsWith('.tgz')).map((file) => `./packages/${file}`)
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...local], { cwd: folder })
    expect((await run('npx', ['onward', '--version'], { cwd: folder })).stdout).toMatch(/^\d+\.\d+\.\d+/)
    const program = "import('@onward/client').then(({ Onward }) => console.log(typeof Onward))"
    expect((await run(process.execPath, ['-e', program], { cwd: folder })).stdout).toBe('function\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
