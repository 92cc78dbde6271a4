const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** Returns the text that a part of one of our pages shows. */
export function unescapeHtml(markup: string): string {
  return markup.replaceAll(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
}
