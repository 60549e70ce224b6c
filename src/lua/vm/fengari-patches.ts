/** A piece of fengari's source and what stands there in the private copy. The piece occurs exactly once. */
export interface SourcePatch {
  readonly find: string;
  readonly replace: string;
}

/**
 * What the private copy of fengari's compiler does otherwise, by file. Most of it is about lines, which errors name:
 * gopher-lua gives an instruction the line where its expression starts, PUC Lua (and fengari) the line of the operator or of
 * the last token read.
 */
export const PATCHES: Readonly<Record<string, readonly SourcePatch[]>> = {
  lparser: [
    // A binary expression stands on the line of its first operand, a unary one on the line of its operand.
    {
      find: `    enterlevel(ls);
    let uop = getunopr(ls.t.token);`,
      replace: `    enterlevel(ls);
    const start = ls.linenumber;
    let uop = getunopr(ls.t.token);`,
    },
    {
      find: `        let line = ls.linenumber;
        llex.luaX_next(ls);
        subexpr(ls, v, UNARY_PRIORITY);`,
      replace: `        llex.luaX_next(ls);
        let line = ls.linenumber;
        subexpr(ls, v, UNARY_PRIORITY);`,
    },
    {
      find: 'luaK_posfix(ls.fs, op, v, v2, line);',
      replace: 'luaK_posfix(ls.fs, op, v, v2, start);',
    },
    // An index or a call stands on the line where the prefix expression starts; its name is kept for `bad argument #1 to name`.
    {
      find: `    let fs = ls.fs;
    let line = ls.linenumber;
    primaryexp(ls, v);`,
      replace: `    let fs = ls.fs;
    let line = ls.linenumber;
    v.start = line;
    v.name = null;
    primaryexp(ls, v);
    v.start = line;`,
    },
    {
      find: `    let varname = str_checkname(ls);
    let fs = ls.fs;
    singlevaraux(fs, varname, vr, 1);`,
      replace: `    let varname = str_checkname(ls);
    let fs = ls.fs;
    vr.name = varname;
    singlevaraux(fs, varname, vr, 1);`,
    },
    {
      find: `    llex.luaX_next(ls);  /* skip the dot or colon */
    checkname(ls, key);`,
      replace: `    llex.luaX_next(ls);  /* skip the dot or colon */
    v.name = ls.t.seminfo.ts;
    checkname(ls, key);`,
    },
    {
      find: `                yindex(ls, key);
                luaK_indexed(fs, v, key);`,
      replace: `                yindex(ls, key);
                v.name = key.k === expkind.VK && key.t === key.f ? fs.f.k[key.u.info].value : null;
                luaK_indexed(fs, v, key);`,
    },
    {
      find: `                checkname(ls, key);
                luaK_self(fs, v, key);`,
      replace: `                v.name = ls.t.seminfo.ts;
                checkname(ls, key);
                luaK_self(fs, v, key);
                luaK_fixline(fs, line);`,
    },
    {
      find: `    init_exp(f, expkind.VCALL, luaK_codeABC(fs, OP_CALL, base, nparams+1, 2));
    luaK_fixline(fs, line);`,
      replace: `    init_exp(f, expkind.VCALL, luaK_codeABC(fs, OP_CALL, base, nparams+1, 2));
    luaK_fixline(fs, line);
    (fs.f.callnames = fs.f.callnames || {})[fs.pc - 1] = f.name;
    f.name = null;`,
    },
    // The fields of a table constructor are set on the line of its brace.
    {
      find: `    luaK_codeABC(fs, OP_SETTABLE, cc.t.u.info, rkkey, luaK_exp2RK(fs, val));`,
      replace: `    luaK_codeABC(fs, OP_SETTABLE, cc.t.u.info, rkkey, luaK_exp2RK(fs, val));
    luaK_fixline(fs, cc.line);`,
    },
    {
      find: '    cc.na = cc.nh = cc.tostore = 0;',
      replace: '    cc.na = cc.nh = cc.tostore = 0;\n    cc.line = line;',
    },
    // Lua 5.1: a vararg function has the local `arg`.
    {
      find: `    adjustlocalvars(ls, nparams);
    f.numparams = fs.nactvar;
    luaK_reserveregs(fs, fs.nactvar);  /* reserve register for parameters */`,
      replace: `    adjustlocalvars(ls, nparams);
    f.numparams = fs.nactvar;
    if (f.is_vararg) {
        new_localvarliteral(ls, "arg");
        adjustlocalvars(ls, 1);
        f.hasArg = true;
    }
    luaK_reserveregs(fs, fs.nactvar);  /* reserve register for parameters */`,
    },
  ],
  lcode: [
    // gopher-lua folds a minus before a zero, and takes 0 and -0 for the same constant: `{0, -0}` holds 0 twice.
    {
      find: '        if (isNaN(n) || n === 0)',
      replace: '        if (isNaN(n) || (Object.is(n, -0) && op !== LUA_OPUNM))',
    },
    // See above: lines of indexing, of concatenation and of comparisons.
    {
      find: `            e.u.info = luaK_codeABC(fs, op, 0, e.u.ind.t, e.u.ind.idx);
            e.k = ek.VRELOCABLE;`,
      replace: `            e.u.info = luaK_codeABC(fs, op, 0, e.u.ind.t, e.u.ind.idx);
            if (e.u.ind.line) luaK_fixline(fs, e.u.ind.line);
            e.k = ek.VRELOCABLE;`,
    },
    {
      find: `            luaK_codeABC(fs, op, vr.u.ind.t, vr.u.ind.idx, e);`,
      replace: `            luaK_codeABC(fs, op, vr.u.ind.t, vr.u.ind.idx, e);
            if (vr.u.ind.line) luaK_fixline(fs, vr.u.ind.line);`,
    },
    {
      find: `    t.u.ind.idx = luaK_exp2RK(fs, k);  /* R/K index for key */`,
      replace: `    t.u.ind.idx = luaK_exp2RK(fs, k);  /* R/K index for key */
    t.u.ind.line = t.start;`,
    },
    {
      find: `                e1.k = ek.VRELOCABLE; e1.u.info = e2.u.info;`,
      replace: `                e1.k = ek.VRELOCABLE; e1.u.info = e2.u.info;
                fs.f.lineinfo[e2.u.info] = line;`,
    },
    {
      find: `            codecomp(fs, op, e1, e2);`,
      replace: `            codecomp(fs, op, e1, e2);
            fs.f.lineinfo[fs.pc - 1] = fs.f.lineinfo[fs.pc - 2] = line;`,
    },
  ],
};
