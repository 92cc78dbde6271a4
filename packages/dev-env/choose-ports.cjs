const { createServer } = require('node:net')

/** The ports of `npm start`, all on 127.0.0.1, by the environment variable that changes them. The gateway serves both services. */
const DEFAULTS = {
  GATEWAY_PORT: 4002,
  FUNCTIONS_PORT: 4000,
  INSIGHTS_PORT: 4001,
  FUNCTIONS_ADMIN_PORT: 4010,
  INSIGHTS_ADMIN_PORT: 4011,
  DEMO_PORT: 4020,
}
const HOST = '127.0.0.1'

const USAGE = `npm start                    starts Onward on this machine; Ctrl-C stops it
npm start -- --fresh         deletes the data of earlier starts first
npm start -- --ports auto    replaces ports in use by free ones

Variables: ${Object.entries(DEFAULTS)
  .map(([name, port]) => `${name} (${port})`)
  .join(', ')}.
packages/dev-env/README.md explains them, and says where data and keys are.
`

/** Returns how the arguments of `npm start` choose the ports, `fixed` or `auto`, or `help`. Throws if there is an unknown argument. */
function readArguments(args) {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return 'help'
  const rest = args.filter((arg) => arg !== '--fresh')
  if (rest[0] === '--ports' && rest[1] !== 'auto') throw new Error(`--ports takes auto${rest[1] === undefined ? '' : `, not ${rest[1]}`}`)
  const auto = rest[0] === '--ports'
  const [other] = auto ? rest.slice(2) : rest
  if (other !== undefined) throw new Error(`npm start has no argument ${other}; its arguments are -- --fresh and -- --ports auto`)
  return auto ? 'auto' : 'fixed'
}

/**
 * Returns the port of each variable. With `auto`, a free port replaces each port that is in use. Otherwise throws an error that names all
 * of them, with free ports in their place.
 */
async function choosePorts(env, how) {
  const ports = Object.fromEntries(Object.entries(DEFAULTS).map(([name, port]) => [name, readPort(name, env[name], port)]))
  const twice = Object.values(ports).find((port, at, all) => all.indexOf(port) < at)
  if (twice !== undefined) throw new Error(`each of ${Object.keys(DEFAULTS).join(', ')} needs its own port; ${twice} is there twice`)
  const taken = []
  for (const [name, port] of Object.entries(ports)) if (!(await isFree(port))) taken.push(name)
  const chosen = { ...ports }
  for (const name of taken) chosen[name] = await freePort(ports[name], Object.values(chosen))
  if (taken.length === 0 || how === 'auto') return chosen
  const used = taken.map((name) => `${ports[name]} (${name})`).join(', ')
  const settings = taken.map((name) => `${name}=${chosen[name]}`).join(' ')
  throw new Error(
    `these ports are in use: ${used}. Another Onward may be running. To use free ports:\n  npm start -- --ports auto\n  ${settings} npm start`,
  )
}

function readPort(name, text, otherwise) {
  const port = text === undefined || text === '' ? otherwise : Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${name} must be a whole number from 1 to 65535`)
  return port
}

/** Returns the first free port after `port` that is none of `others`. */
async function freePort(port, others) {
  for (let next = port + 1; next <= 65_535; next++) if (!others.includes(next) && (await isFree(next))) return next
  throw new Error(`no port after ${port} is free`)
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

module.exports = { choosePorts, readArguments, USAGE }
