import type { embed, pages } from './en.ts'

export type PageTexts = typeof pages
export type EmbedTexts = typeof embed
