import { spawn } from 'node:child_process'

describe('a command', () => {
  it('ends when what reads its output has ended', async () => {
    const args = ['--conditions=source', '--import', 'tsx', 'packages/lab/src/faults/main.ts', 'help']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.destroy()
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).not.toBeNull()
  })
})
