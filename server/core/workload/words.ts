/** Common short English words: one token each (with the space before) in most vocabularies. */
export const WORDS: readonly string[] = (
  'the of and to in that is was he for it with as his on be at by had not are but from or have an they which one ' +
  'you were all her she there would their we him been has when who will no more if out so up said what its about ' +
  'than into them can only other time new some could these two may first then do any like my now over such our man ' +
  'me even most made after also did many before must through years where much your way down should because long ' +
  'each just state those people how too little good world very year still see own men work day get here between ' +
  'both life being under three never know same last another while us off might great go come since against right ' +
  'came take used himself few house use place during high without again home around small however found part ' +
  'every upon law went left head once general water less public put think almost hand enough far took government ' +
  'set better nothing night end why called eyes find going look asked later knew next program city business give ' +
  'group toward young let room side social given present several order national second possible rather per face ' +
  'among form often things looked early white case become large big need four within felt along children saw best ' +
  'church ever least power light thing family interest want members mind country area others turned although open ' +
  'done service certain kind began different door thus help means whole matter'
).split(' ');
