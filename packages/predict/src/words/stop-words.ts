/** Words that say nothing about which function is meant. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her hers him his how i if in ' +
    'into is it its just like may me might my need of on or our out please shall she should so some than that the their them then there these ' +
    'they this those to too up us want was we were what when where which who whom why will with would you your'
  ).split(' '),
)
