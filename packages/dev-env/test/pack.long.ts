import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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

it('npm run pack says why pip failed, and that the other packages are ready', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onward-packed-'))
  try {
    const python =
      '#!/bin/sh\necho some warning >&2\ncase "$*" in *--no-build-isolation*) echo no wheel >&2;; *) echo no network >&2;; esac\nexit 1\n'
    await writeFile(join(folder, 'python3'), python)
    await chmod(join(folder, 'python3'), 0o755)
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    const packed = await run(process.execPath, ['infra/pack.mjs', join(folder, 'packages')], { env }).catch((err) => err)
    expect(packed.code).toBe(1)
    expect(packed.stderr).toContain(
      'With those of this machine:\nsome warning\nno wheel\nWith downloaded ones:\nsome warning\nno network\nThe other two packages are ready.\n',
    )
    expect(await readdir(join(folder, 'packages'))).toEqual(['onward-cli-0.1.0.tgz', 'onward-client-0.1.0.tgz'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
