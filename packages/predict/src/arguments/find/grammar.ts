/** Words that hold sentences together and name nothing; and those of asking. */
const GRAMMAR = new Set(
  (
    "a about above across after again against all along also am among an and any are around as at be because been before being below between both but by can can't could did do does doesn't doing don't down " +
    "during each either every few for from further had has have having he her here here's hers him his how i i'd i'll i'm i've if in inside into is isn't it it's its itself just let let's like may me might more most must my " +
    'near need needs no nor not now of off on once only onto or other our ours out outside over own per please same shall she should since so some such than that the their them then there these they this those ' +
    'through to too under until up upon us very via want wants was we were what when where whether which while who whom whose why will with within without would you your yours ' +
    'tell says saying said give show find get provide retrieve check make create add called named titled using use based regarding concerning related including specified specific given following located ' +
    'know help assist look looking search information info details list available'
  ).split(' '),
)

export function isGrammar(lower: string): boolean {
  return GRAMMAR.has(lower)
}
