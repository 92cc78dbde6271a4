import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openAddressBook } from '../demo/open-address-book.ts'
import { openParts } from '../parts/open-parts.ts'
import { wipeParts } from '../parts/wipe-parts.ts'
import { requireFreePorts } from './free-ports.ts'
import { openKeyFile } from './keys.ts'
import { openAreas } from './open-areas.ts'
import { writePrivateJson } from './private-file.ts'
import { connectAddressBook, provision, USER_ID } from './provision.ts'
import { HOST, readFresh, readPorts } from './settings.ts'
import { devFile, summary } from './summary.ts'
import { makeTrip } from './trip.ts'

export type Started = { close(): Promise<void> }

export type StartOptions = {
  /** The checkout. */
  readonly root: string
  /** Where data, keys and logs are kept: `.onward` in the checkout. */
  readonly dir: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
}

/** Everything that `npm start` does. What was opened is closed again, in the opposite order, by `close` or when a step fails. */
export async function start({ root, dir, args, env, say }: StartOptions): Promise<Started> {
  const ports = readPorts(env)
  const fresh = readFresh(args)
  mkdirSync(dir, { recursive: true })

  const closers: (() => Promise<unknown>)[] = []
  async function close(): Promise<void> {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    if (fresh) {
      await wipeParts(dir)
      rmSync(join(dir, 'keys.json'), { force: true })
      say('wiped      the data of earlier starts')
    }
    const parts = await openParts({ dir, cacheDir: join(dir, 'parts'), env, throwAway: false, say: (line) => say(`parts      ${line}`) })
    closers.push(() => parts.stop())
    await requireFreePorts(ports)
    const keyFile = openKeyFile(join(dir, 'keys.json'))
    const demo = await openAddressBook({ port: ports.DEMO_PORT, apiKey: keyFile.read().demo_api_key })
    closers.push(() => demo.close())
    const { postgresUrl, queueUrl } = parts
    const services = await openAreas({ root, dir, ports, keys: keyFile.read(), postgresUrl, queueUrl })
    closers.push(() => services.close())
    say(`services   functions and insights listen on ${HOST}, their logs are in .onward/`)

    const keys = await provision(services, keyFile)
    await connectAddressBook(services, keys, USER_ID, demo.url)
    say(`seed       workspace ${keys.workspace_id}, application ${keys.app_key}, an address book for ${USER_ID}`)
    await makeTrip(services, keys, demo.url, say)

    const dev = devFile(services, keys, demo.url, `${parts.postgresFrom}; ${parts.queueFrom}`)
    const file = join(dir, 'dev.json')
    writePrivateJson(file, dev)
    closers.push(async () => rmSync(file, { force: true }))
    say(summary(dev))
    return { close }
  } catch (err) {
    await close().catch(() => {})
    throw err
  }
}
