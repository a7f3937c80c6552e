export const text = 1;
