namespace Emu.Compiler.Verilog;

/// <summary>The names of one module: no two alike, none a reserved word.</summary>
internal sealed class VerilogNames
{
    // IEEE 1364-2005 Annex B, and what IEEE 1800 adds that a C# name may well be: several tools read every file as
    // SystemVerilog.
    private static readonly HashSet<string> s_keywords = [.. """
        always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam
        design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify
        endtable endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include
        initial inout input instance integer join large liblist library localparam macromodule medium module nand
        negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1
        pulldown pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran
        rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table
        task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use vectored wait wand weak0 weak1
        while wire wor xnor xor
        accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte chandle
        checker class clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker
        endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum eventually expect
        export extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies
        import inside int interconnect interface intersect join_any join_none let local logic longint matches modport
        nettype new nexttime null package packed priority program property protected pure rand randc randcase
        randsequence ref reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence
        shortint shortreal soft solve static string strong struct super sync_accept_on sync_reject_on tagged this
        throughout timeprecision timeunit type typedef union unique unique0 until until_with untyped var virtual void
        wait_order weak wildcard with within
        mailbox process semaphore std randomize
        """.Split((char[])[' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries)];

    // The names that every module, or a function in it, has of its own.
    private static readonly HashSet<string> s_own =
        ["clk", "rst", "unused", "one", "other", "differ", "same", "value", "count", "bits", "i"];

    private readonly HashSet<string> _taken = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _derived = new(StringComparer.Ordinal);

    /// <summary>A name as it may be printed: a reserved word gets a trailing underscore.</summary>
    public static string Legal(string name) => IsKeyword(name) || s_own.Contains(name) ? name + "_" : name;

    /// <summary>True for a word of the language.</summary>
    public static bool IsKeyword(string name) => s_keywords.Contains(name);

    /// <summary>Takes a name; underscores behind it make it the only one.</summary>
    public string Take(string name)
    {
        name = Legal(name);
        while (!_taken.Add(name)) name += "_";
        return name;
    }

    /// <summary>A new name; numbered before its suffix from the second of a stem on.</summary>
    public string Derive(string stem, string suffix = "")
    {
        while (true)
        {
            var count = _derived[stem + suffix] = _derived.GetValueOrDefault(stem + suffix) + 1;
            var name = Legal(count == 1 ? stem + suffix : $"{stem}_{count}{suffix}");
            if (_taken.Add(name)) return name;
        }
    }
}
