// How much of a limit is used. Colour is not the only sign: the figures stand beside it.
export function SizeBar({ bytes, most, label }: { bytes: number; most: number; label: string }) {
  const share = Math.min(1, bytes / most);
  return (
    <span class="size-bar" title={label} data-full={share > 0.8 ? 'nearly' : undefined}>
      <span style={{ width: `${Math.max(2, share * 100)}%` }} />
    </span>
  );
}
