import type { PromptSet } from '../training-sets.ts'

/** What the functions of a set say of themselves, and its prompts. */
export function setTexts({ functions, queries }: PromptSet): string[] {
  const said = functions.flatMap(({ title, description, parameters }) => [
    title,
    description,
    ...Object.values(parameters.properties).map((each) => each.description ?? ''),
  ])
  return [...said, ...queries.map(({ prompt }) => prompt)]
}
