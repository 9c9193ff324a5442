import type { TableSchema } from '../../../src/requests/schema.ts';

export const education: TableSchema = {
  name: 'Education',
  keys: [{ name: 'PK', type: 'S', kind: 'HASH' }, { name: 'SK', type: 'S', kind: 'RANGE' }],
  indexes: [
    {
      name: 'GSI1', local: false, projection: 'INCLUDE', include: ['Grade'],
      keys: [{ name: 'GSI1-PK', type: 'S', kind: 'HASH' }, { name: 'GSI1-SK', type: 'S', kind: 'RANGE' }],
    },
    {
      name: 'ByRound', local: false, projection: 'ALL', include: [],
      keys: [
        { name: 'tournament', type: 'S', kind: 'HASH' }, { name: 'region', type: 'S', kind: 'HASH' },
        { name: 'round', type: 'N', kind: 'RANGE' }, { name: 'court', type: 'S', kind: 'RANGE' },
      ],
    },
  ],
  fields: [
    { name: 'Name', type: 'S', entities: ['Student'] }, { name: 'Credits', type: 'N', entities: ['Course'] },
    { name: 'Tags', type: 'SS', entities: [] }, { name: 'Grade', type: 'S', entities: ['Enrollment'] },
  ],
  layouts: [],
  stored: true,
};
