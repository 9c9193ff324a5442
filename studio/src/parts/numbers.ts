// Figures for people.

const plain = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const short = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

export function count(value: number): string {
  return Math.abs(value) >= 1 || value === 0 ? plain.format(value) : short.format(value);
}

const rough = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 });

// 400K, 2M, 2.7B.
export const roughly = (value: number) => rough.format(value);

const long = new Intl.NumberFormat('en-GB', { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 3 });

// 1,200,000; from a billion on in words: 131 billion.
export const many = (value: number) => (value < 1e9 ? count(value) : long.format(value));

// Dollars, as people write them.
export function money(value: number): string {
  if (value === 0) return '$0';
  if (value < 0.01) return 'under a cent';
  return `$${new Intl.NumberFormat('en-GB', { minimumFractionDigits: value < 1000 ? 2 : 0, maximumFractionDigits: value < 1000 ? 2 : 0 }).format(value)}`;
}

// The price of a million runs, from the price of one: runs cost so little that cents would hide it.
export function perMillion(price: number, currency = '$'): string {
  const million = price * 1e6;
  if (million > 0 && million < 0.01) return 'under a cent per million runs';
  const digits = million >= 100 || million === 0 ? 0 : 2;
  const amount = new Intl.NumberFormat('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(million);
  return `${currency}${amount} per million runs`;
}

const byteUnits = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

// KB of 1,024, as DynamoDB counts them.
export function bytes(value: number): string {
  if (value === 1) return '1 byte';
  let unit = 0;
  while (value >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024;
    ++unit;
  }
  return `${unit === 0 ? count(value) : short.format(value)} ${byteUnits[unit]}`;
}

export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)} %`;
}

export function plural(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}

// Per second as the largest unit of time in which it is at least one: 0.0028/s is 10/hour.
export function rate(perSecond: number): string {
  const spans: [string, number][] = [['s', 1], ['min', 60], ['hour', 3600], ['day', 86_400], ['month', 2_592_000]];
  if (perSecond === 0) return '0';
  const [unit, seconds] = spans.find(([, span]) => perSecond * span >= 0.995) ?? spans.at(-1)!;
  return `${count(Math.round(perSecond * seconds * 100) / 100)}/${unit}`;
}

// 1st, 2nd, 3rd, 4th, 11th, 21st.
export function ordinal(value: number): string {
  const last = value % 10;
  const teen = Math.floor(value / 10) % 10 === 1;
  return `${plain.format(value)}${teen || last === 0 || last > 3 ? 'th' : ['st', 'nd', 'rd'][last - 1]}`;
}

const spans: [string, number][] = [['a second', 1], ['a minute', 60], ['an hour', 3600], ['a day', 86_400], ['a month', 2_592_000], ['a year', 31_536_000]];

// "12 writes a second"; what is rarer as "3 writes a minute" or "12 writes a year".
export function often(perSecond: number, word: string): string {
  if (perSecond === 0) return `no ${word}s`;
  const [span, seconds] = perSecond >= 0.1 ? spans[0]! : (spans.find(([, each]) => perSecond * each >= 0.95) ?? spans.at(-1)!);
  const times = perSecond * seconds;
  if (seconds > 1) return `${plural(times >= 10 ? Math.round(times) : Math.round(times * 10) / 10, word)} ${span}`;
  return `${plural(times >= 100 ? Math.round(times) : times, word)} ${span}`;
}
