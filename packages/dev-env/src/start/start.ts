import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, UnknownMigrationError } from '@onward/runtime'
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
import { choosePorts } from '../../choose-ports.cjs'
import { openAddressBook } from '../demo/address-book.ts'
import { openParts, wipeParts } from '../parts/open-parts.ts'
import { writePrivate, writePrivateJson } from '../private-file.ts'
import { IMITATIONS, openSandbox } from '../sandbox/sandbox.ts'
import { buildConsole } from './build-console.ts'
import { DATABASES, startServices } from './functions-and-insights.ts'
import { openGateway } from './gateway.ts'
import { openKeyFile } from './keys.ts'
import { connectAddressBook, connectImitations, makeMcpSignInLink, makeSignInLink, provision, USER_ID } from './provision.ts'
import { HOST, readPorts } from './settings.ts'
import { showFeatures } from './show-features.ts'
import { devFile, environment, summary } from './summary.ts'

/** The contacts of the demo app. */
const CONTACTS = 'contacts.json'
/** The objects of the imitated apps. */
const SANDBOX = 'sandbox.json'

export type Started = { close(): Promise<void> }

type StartOptions = {
  /** The folder of the checkout. */
  readonly root: string
  /** The folder of data, keys and logs: `.onward` in the checkout. */
  readonly dir: string
  /** Whether to delete the data of earlier starts first. */
  readonly fresh: boolean
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
}

/** Does everything that `npm start` does. Both `close` and a failed step close all parts that were opened, the last one first. */
export async function start({ root, dir, fresh, env, say }: StartOptions): Promise<Started> {
  const ports = readPorts(env)
  mkdirSync(dir, { recursive: true })

  const closers: (() => Promise<unknown>)[] = []
  async function close(): Promise<void> {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    if (fresh) {
      await wipeParts(dir)
      for (const name of ['keys.json', CONTACTS, SANDBOX]) rmSync(join(dir, name), { force: true })
      say('fresh      deleted the data of earlier starts')
    }
    // The databases take longer to start than the console to build.
    const building = buildConsole(root)
    building.catch(() => {})
    const parts = await openParts({ dir, cacheDir: join(dir, 'parts'), env, throwAway: false, say: (line) => say(`parts      ${line}`) })
    closers.push(() => parts.stop())
    const [file, variables] = [join(dir, 'dev.json'), join(dir, 'dev.env')]
    const removeFiles = () => {
      for (const each of [file, variables]) rmSync(each, { force: true })
    }
    // A start that was killed leaves them.
    removeFiles()
    const keyFile = openKeyFile(join(dir, 'keys.json'))
    const { demo_api_key: apiKey } = keyFile.read()
    const sandbox = openSandbox({ apps: join(root, 'packages/catalog/apps'), file: join(dir, SANDBOX) })
    const demo = await openAddressBook({ port: ports.DEMO_PORT, apiKey, file: join(dir, CONTACTS), sandbox })
    closers.push(() => demo.close())
    const { postgresUrl, queueUrl } = parts
    const own = { root, dir, ports, publicUrl: env.PUBLIC_URL, keys: keyFile.read() }
    const services = await startServices({ ...own, postgresUrl, queueUrl, consoleFolder: await building }).catch((err: unknown) => {
      throw err instanceof UnknownMigrationError ? otherVersionError(dir, env) : err
    })
    closers.push(() => services.close())
    const gateway = await openGateway(ports.GATEWAY_PORT, services)
    closers.push(() => gateway.close())
    say(`services   functions and insights listen on ${HOST}; their logs are in .onward/`)

    const keys = await provision(services, keyFile)
    const keysOfPublished = { ...keys, app_key: keys.published_app_key }
    for (const each of [keys, keysOfPublished]) await connectAddressBook(services, each, USER_ID, demo.url)
    keyFile.add({ demo_url: demo.url })
    await connectImitations(services, keys, USER_ID)
    say(`seed       workspace ${keys.workspace_id}, two applications, in each an address book for ${USER_ID}`)
    say(`           and, in the first one, imitations of ${Object.keys(IMITATIONS).join(', ')} on this machine`)
    await showFeatures(services, keys, demo.url, say)

    const dev = devFile(gateway.url, services, keys, demo.url, `${parts.postgresFrom}; ${parts.queueFrom}`)
    writePrivateJson(file, dev)
    writePrivate(variables, environment(dev))
    closers.push(async () => removeFiles())
    const links = { console: await makeSignInLink(services, keys), mcp: await makeMcpSignInLink(gateway.url, keys) }
    say(summary(dev, links))
    return { close }
  } catch (err) {
    await close().catch(() => {})
    throw (err as NodeJS.ErrnoException).code === 'EADDRINUSE' ? await portsInUse(env, err) : err
  }
}

/** Another program may have taken a port since the first check. The error names all ports in use, with free ones in their place. */
async function portsInUse(env: NodeJS.ProcessEnv, err: unknown): Promise<unknown> {
  return await choosePorts(env, 'fixed').then(
    () => err,
    (inUse: unknown) => inUse,
  )
}

/** `--fresh` deletes only what Onward started itself, so it does not help with a server of the user. */
function otherVersionError(dir: string, env: NodeJS.ProcessEnv): ConfigError {
  const databases = Object.values(DATABASES).join(' and ')
  return env.DATABASE_URL
    ? new ConfigError(
        `another version of Onward created the databases ${databases} on the server of DATABASE_URL: drop them and start again`,
      )
    : new ConfigError(`another version of Onward created the data in ${dir}: run npm start -- --fresh, which deletes it`)
}
