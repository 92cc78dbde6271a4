import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@onward/testbed'
import { openFunctions } from './support.ts'

const fileOf = (path: string) => `
name: kiosk
title: Kiosk
description: Papers of a kiosk.
base_url: https://kiosk.example
auth: { type: none }
functions:
  list-papers:
    title: List papers
    description: Lists the papers.
    type: QUERY
    request: { method: GET, path: ${path} }
`

describe('the app files', () => {
  it('are loaded again when they change, and stay as they were while a file is broken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
    const file = join(folder, 'kiosk.yaml')
    await writeFile(file, fileOf('/papers'))
    const onward = await openFunctions({ env: { APPS_PATH: folder, WATCH_APPS: 'true' } })
    try {
      const joe = onward.user('joe')
      const version = async () => (await joe.post('/functions/kiosk-list-papers/get?include=meta').expect(200)).body.meta.version
      const first = await version()
      await writeFile(file, 'name: [')
      await writeFile(join(folder, 'stall.yaml'), fileOf('/papers').replaceAll('kiosk', 'stall'))
      await writeFile(file, fileOf('/journals'))
      await eventually(async () => {
        expect(await version()).not.toBe(first)
        await joe.post('/functions/stall-list-papers/get').expect(200)
      })
      await writeFile(file, 'name: [')
      await new Promise((resolve) => setTimeout(resolve, 600))
      await joe.post('/functions/kiosk-list-papers/get').expect(200)
    } finally {
      await onward.close()
      await rm(folder, { recursive: true })
    }
  })
})
