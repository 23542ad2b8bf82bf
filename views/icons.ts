/** Path data of the line drawings, on a grid of 16 × 16. Each stands beside words that say the same. */
export const ICONS = {
  done: 'M3 8.5 6.5 12 13 4.5',
  empty: 'M3.5 8h9',
  refused: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6',
  failed: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M8 5v3.2L10.2 9.6',
  stopped: 'M4.5 4.5h7v7h-7z',
  warning: 'M8 2.8 14 13H2zM8 6.8v3M8 11.4v.1',
  undo: 'M6 4 3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H8',
  read: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 0 0 0-3.6',
  write: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.4 4.4l2.2 2.2',
  note: 'M4 2.5h5.5L12.5 5.5v8h-8.5zM9.5 2.5v3h3',
  chevron: 'M6 4l4 4-4 4',
} as const;

export type IconName = keyof typeof ICONS;
