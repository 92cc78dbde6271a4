import { createServer } from 'node:net'
import { ConfigError } from '@onward/runtime'
import { HOST, type Ports } from './settings.ts'

/** Fails with one line that names every port that is taken and the variable that moves it. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  const entries = Object.entries(ports)
  const taken = await Promise.all(entries.map(async ([, port]) => !(await isFree(port))))
  const lines = entries.filter((_entry, i) => taken[i]).map(([name, port]) => `${port} (set ${name} to move it)`)
  if (lines.length > 0) throw new ConfigError(`these ports are taken: ${lines.join(', ')}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}
