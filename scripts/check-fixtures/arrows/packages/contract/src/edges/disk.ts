export const disk = 'disk';
