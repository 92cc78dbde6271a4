type Ports = Readonly<Record<string, number>>
export function choosePorts(env: NodeJS.ProcessEnv, how: 'auto' | 'fixed'): Promise<Ports>
export function readArguments(args: readonly string[]): 'auto' | 'fixed' | 'help'
export const USAGE: string
