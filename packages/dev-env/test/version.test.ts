import { readdir, readFile } from 'node:fs/promises'
import { VERSION } from '@onward/runtime'

it('every part has the same version, and the changelog describes it', async () => {
  const folders = await Promise.all(
    ['packages', 'services'].map(async (parent) => (await readdir(parent)).map((name) => `${parent}/${name}`)),
  )
  const packages = ['.', ...folders.flat().filter((folder) => folder !== 'packages/client-python')].map(
    (folder) => `${folder}/package.json`,
  )
  const places: Record<string, RegExp> = {
    ...Object.fromEntries(packages.map((file) => [file, /"version": "(.+)"/])),
    'packages/cli/src/version.ts': /VERSION = '(.+)'/,
    'packages/client/src/user-agent.ts': /VERSION = '(.+)'/,
    'packages/client-python/src/onward_client/_version.py': /VERSION = "(.+)"/,
    'infra/chart/Chart.yaml': /^version: (.+)\nappVersion: \1$/m,
    'infra/Dockerfile': /image\.version="(.+?)"/,
    // Above it is what the next version will have.
    'CHANGELOG.md': /^## (\d\S*)/m,
  }
  const found = await Promise.all(
    Object.entries(places).map(async ([file, pattern]) => [file, pattern.exec(await readFile(file, 'utf8'))?.[1]]),
  )
  const recipe = await readFile('infra/Dockerfile', 'utf8')
  for (const label of ['licenses', 'revision', 'source', 'base.name']) expect(recipe).toContain(`org.opencontainers.image.${label}="`)
  expect(packages.length).toBeGreaterThan(15)
  expect(found).toEqual(Object.keys(places).map((file) => [file, VERSION]))
})
