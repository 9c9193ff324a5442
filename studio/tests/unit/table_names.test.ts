import { describe, expect, it } from 'vitest';
import { withNamedTable, withOtherTables } from '../../src/design/table_names.ts';

describe('tables', () => {
  const text = 'model "Bike share"\n\nentity Bike {\n}\n\ntable Main partition PK {\n}\n';

  it('are called after the design unless somebody named them', () => {
    expect(withNamedTable(text, 'model "Bike share"\n')).toContain('table BikeShare partition');
    expect(withNamedTable(text, text)).toBe(text);
    expect(withNamedTable(text.replace('Bike share', 'Bike'), '')).toContain('table Bike2 partition');
  });

  it('get other names where theirs are taken', () => {
    expect(withOtherTables(text, ['Main'], ['Main', 'BikeShare'])).toContain('table BikeShare2 partition');
    expect(withOtherTables(text.replace('Main', 'Shop'), ['Shop'], ['Shop'])).toContain('table Shop2 partition');
  });
});
