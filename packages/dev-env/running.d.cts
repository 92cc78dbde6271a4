export function livingHolder(text: string): number | undefined
export function runningIn(dir: string): string | undefined
export function startTime(pid: number): string | undefined
