export const   loose = [ 1,2 ]
