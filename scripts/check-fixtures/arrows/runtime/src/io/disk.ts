export const disk = 1;
