/** A name of small letters, digits and hyphens of a text, at most `most` long, that is not among those taken; it is then. */
export function freeName(text: string, most: number, taken: Set<string>): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const joined = words.join('-') || 'x'
  const whole = /^[a-z]/.test(joined) ? joined : `x-${joined}`
  const cut = (room: number) => whole.slice(0, room).replace(/-+$/, '')
  let name = cut(most)
  for (let count = 2; taken.has(name); count += 1) name = `${cut(most - `-${count}`.length)}-${count}`
  taken.add(name)
  return name
}
