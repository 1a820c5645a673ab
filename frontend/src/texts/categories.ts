export const CATEGORIES = [
  'Cryptocurrency',
  'Sports',
  'Politics',
  'Weather',
  'Entertainment',
  'Technology',
  'Finance',
  'Other',
] as const;
