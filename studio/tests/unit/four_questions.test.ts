import { describe, expect, it } from 'vitest';
import { designFrom, disagreements, nameFrom, newRelation, pluralOf } from '../../src/design/four_questions.ts';

const owners = { ...newRelation('owners', 'pets'), average: 2, both: true, changes: { amount: 3, per: 'day' as const }, reads: { amount: 0.5, per: 's' as const } };

describe('four questions', () => {
  it('take plurals as people write them', () => {
    expect(nameFrom('bike stations', 'X')).toBe('BikeStation');
    expect(nameFrom('companies', 'X')).toBe('Company');
    expect(nameFrom('classes', 'X')).toBe('Class');
    expect(nameFrom('address', 'X')).toBe('Address');
    expect(nameFrom('species', 'X')).toBe('Species');
    expect(nameFrom('!', 'X')).toBe('X');
    expect(pluralOf('company')).toBe('companies');
    expect(pluralOf('BikeStation')).toBe('BikeStations');
  });

  it('say that an id is one row’s alone, and take rates of any size', () => {
    const text = designFrom({ title: '', relations: [owners] });
    expect(text).toContain('entity Pet {\n  ownerId references Owner.id key\n  id text(~8) key unique\n');
    expect(text).toContain('pattern OwnerWithPets "An owner with the pets"');
    expect(text).toContain('rate 0.5/s');
    expect(text).toContain('changes 3/day');
    expect(text).toContain('each Owner has ~2, unbounded');
    expect(text).toContain('table OwnerAndPet partition');
    expect(text).not.toContain('title');
  });

  it('take several relationships, bounds, and links of many to many', () => {
    const text = designFrom({
      title: 'Vet practice',
      relations: [owners, { ...newRelation('Pet', 'Visit'), most: 300 }, { ...newRelation('Vet', 'Visit') }, { ...newRelation('Pet', 'Tag'), manyToMany: true, both: true }],
    });
    expect(text).toContain('each Pet has ~5, at most 300');
    expect(text).toContain('pattern PetWithVisits "A pet with the visits"');
    expect(text).toContain('entity Pet {\n  id text(~8) key\n  ownerId references Owner.id\n');
    expect(text).toContain('entity Visit {\n  petId references Pet.id key\n  id text(~8) key unique\n  vetId references Vet.id\n');
    expect(text).toContain('GSI1PK = "VET#{vetId}"');
    expect(text).toContain('relationship PetTags: Pet many-to-many Tag through PetTag');
    expect(text.match(/^pattern OnePet /gm)).toHaveLength(1);
    expect(text).toContain('table VetPractice partition');
  });

  it('refuse the same two things twice', () => {
    expect(() => designFrom({ title: '', relations: [owners, owners] })).toThrow(/related already/);
  });

  it('count the far side of many to many by all that there are of the one', () => {
    const relations = [
      { ...newRelation('Owner', 'Pet'), count: 4000, average: 2 },
      { ...newRelation('Pet', 'Visit'), average: 6 },
      { ...newRelation('Visit', 'Treatment'), manyToMany: true, average: 3, back: 1000 },
    ];
    expect(designFrom({ title: '', relations })).toMatch(/entity Treatment \{[^}]*count 144\n/);
  });

  it('add what belongs to several once, and say where its numbers differ', () => {
    const relations = [
      { ...newRelation('Station', 'Trip'), count: 1000, average: 10_000 },
      { ...newRelation('Member', 'Trip'), count: 1000, average: 60 },
      { ...newRelation('Member', 'Plan'), manyToMany: true, average: 1.2, back: 5 },
    ];
    const text = designFrom({ title: '', relations });
    expect(text.match(/put Trip once/g)).toHaveLength(1);
    expect(text).toContain('each Member has ~1.2,');
    expect(disagreements({ title: '', relations })).toEqual(['By their stations there are 10,000,000 trips, by their members 60,000.']);
    expect(disagreements({ title: '', relations: relations.slice(1) })).toEqual([]);
  });

  it('invent no entity for what belongs to its like', () => {
    const text = designFrom({ title: '', relations: [newRelation('Person', 'people')] });
    expect(text.match(/^entity \w+/gm)).toEqual(['entity Person']);
    expect(text).toContain('parentPersonId references Person.id optional');
    expect(text).toContain('GSI1PK = "PERSON#{parentPersonId}"');
    const links = designFrom({ title: '', relations: [{ ...newRelation('Person', 'Person'), manyToMany: true, both: true }] });
    expect(links.match(/^entity \w+/gm)).toEqual(['entity Person', 'entity PersonPerson']);
    expect(links).toContain('PersonPerson where otherPersonId = :person');
  });

  it('keep digits and letters of any script, and refuse what has none', () => {
    expect(nameFrom('3D model', 'X')).toBe('ThreeDModel');
    expect(nameFrom('2nd parts', 'X')).toBe('SecondPart');
    expect(nameFrom('Straße', 'X')).toBe('Strasse');
    expect(nameFrom('Café', 'X')).toBe('Cafe');
    expect(nameFrom('注文', 'X')).toBe('注文');
    expect(nameFrom('🚀', '')).toBe('');
    expect(() => designFrom({ title: '', relations: [newRelation('🚀', 'Order')] })).toThrow(/“🚀” has no letter/);
    expect(() => designFrom({ title: '', relations: [newRelation('', 'Order')] })).toThrow(/two names/);
  });
});
