using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>All transformations of the IR, in the order in which they run.</summary>
internal static class PassList
{
    private const string Simplify = "simplification";
    private const string Constants = "constant-state";
    private const string Unroll = "unrolling";
    private const string Narrow = "narrowing";
    private const string Moves = "frame-loops";
    private const string Sums = "ones-sums";

    /// <summary>The passes over what the front end made of a service.</summary>
    public static IReadOnlyList<Pass> Optimisation { get; } =
    [
        Simplified("first, since the front end leaves a block for each call and phis that join one value"),
        ConstantStateIn("before unrolling: bounds of loops come from configuration that only the constructor wrote"),
        Simplified("branches on configuration go"),
        Unrolled("after constant state: ways of a table and rows of a hash have constant bounds now"),
        Simplified("the copies of a loop fold"),
        ConstantStateIn("after unrolling, which has made indices constant"),
        Simplified("before narrowing, which follows every value there is"),
        .. NarrowingRound("checks that always hold go, and bits that are always 0"),
        .. NarrowingRound("again: decisions made by the first round have made other ranges smaller"),
        new(
            "delinearisation",
            "makes an array for each column of an array of rows, where each index says its column",
            "after unrolling and narrowing, which make places in a row constant; before splitting, which counts ports",
            Delinearisation.Run),
        Simplified("the columns of a row have its number in common"),
        new(
            "scalar-replacement",
            "makes registers of the elements of an array used at constant indices alone, or of few so written",
            "after unrolling and jump-threading, which make indices constant; before accumulators, which are registers",
            ScalarReplacement.Run),
        new(
            "accumulators",
            "makes one operation of a counter that nothing reads but to increase it",
            "last, since it looks for the reads that all other passes have left",
            compilation => Accumulators.Run([.. compilation.Functions])),
    ];

    /// <summary>
    /// The passes that split what a service does with a frame into the part of a pipeline and a slow path.
    /// </summary>
    public static IReadOnlyList<Pass> Splitting { get; } =
    [
        new(
            "frame-forwarding",
            "gives reads of the frame the bytes that were written there before them",
            "first: lengths that a header says are constants where it was just built; side-exits repeats it",
            compilation =>
            {
                if (FrameForwarding.Run(compilation.Process)) compilation.Optimise();
            }),
        new(
            "frame-loads",
            "makes one operation of a loop that copies bytes of a table into the frame",
            "after all optimisation, which says what writes the table; before loop-peeling, which cuts loops",
            FrameLoads.Run),
        new(
            "loop-peeling",
            "takes the first turns of a loop along a chain of headers in front of it, and ends the others in an exit",
            "after all optimisation, which it repeats; before side-exits, which finds constant offsets in those turns",
            LoopPeeling.Run),
        new(
            "side-exits",
            "ends paths that a pipeline cannot take in an exit to the slow path, as early as that is known",
            "after loop-peeling; it repeats all optimisation whenever it has fixed a field",
            SideExits.Run),
        new(
            "division",
            "makes two functions: one ends at the exits, the other handles only frames that reach one",
            "after side-exits, which it divides by",
            compilation => compilation.Divide()),
        new(
            "accumulators",
            "makes one operation of a counter that only the slow path reads, and nothing else but increases",
            "after division, which says what the slow path is",
            compilation =>
            {
                if (compilation.Slow is { } slow)
                    Accumulators.RunBetween(
                        compilation.Fast!, slow, [.. compilation.SlowPath.Where(other => other != slow)]);
            }),
        new(
            Sums,
            "writes ones' complement sums of words out as additions",
            "before simplification; a pipeline keeps those of which it is only asked whether they are all ones",
            compilation => OnesComplementSums.RunButChecks(compilation.Fast!)),
        OnFast(Simplify, Simplification.Run, "the first over the pipeline's part"),
        OnSlow(Simplify, Simplification.Run, "the first over the slow path"),
        new(
            Constants,
            "replaces reads of state that nothing writes by what the constructor left",
            "after simplification: an index may be constant in one of the parts alone",
            compilation =>
            {
                if (compilation.Slow is not null) ConstantState.Run([.. compilation.Parts]);
            }),
        OnSlow(Sums, OnesComplementSums.Run, "an engine has no adder for whole frames beside it"),
        new(
            "fold-loops",
            "makes loops again of operations that are loops over bytes of the frame",
            "an engine has no unit for them; before narrowing, which bounds the loop's offset",
            compilation => compilation.SlowPath.ToList().ForEach(slow => FoldLoops.Run(slow, compilation.Capacity))),
        OnSlow(
            Moves,
            FrameLoops.Run,
            "an engine moves bytes in a loop; before narrowing, which bounds the loop's counter"),
        new(
            Narrow,
            "folds checks that always hold and removes bits that are always 0",
            "after the loops and sums of the slow path are written out",
            compilation => compilation.NarrowParts()),
        OnFast(Simplify, Simplification.Run, "narrowing leaves extracts and concatenations", onlyWithSlow: true),
        OnSlow(Simplify, Simplification.Run, "narrowing leaves extracts and concatenations"),
        OnSlow(
            "slow-path-facts",
            PathDivision.Trust,
            "last: removes checks that no deferred frame fails, which narrowing has made plain"),
        OnSlow(Simplify, Simplification.Run, "the branches of those checks go"),
        .. Decomposition,
    ];

    /// <summary>The passes over methods of which an engine has one copy: before the others, and behind them.</summary>
    public static IReadOnlyList<Pass> Linking { get; } =
    [
        new(
            "linkage",
            "drops procedures, arguments and results that nothing uses, and puts numbers for those that never differ",
            "first, since numbers fold what follows; again last, for what the others have left of the uses",
            Linkage.Run),
    ];

    /// <summary>The passes behind the others where nothing is split: for an engine.</summary>
    public static IReadOnlyList<Pass> Decomposition =>
    [
        new(
            "operator-decomposition",
            "writes divisions and wide products as products of a multiplier block's size, sums and subtractions",
            "last: narrowing has left as few bits as there can be; of a quotient it knows more than of its parts",
            compilation => compilation.DecomposeOperators()),
        new(
            Simplify,
            "the same once more",
            "a quotient and its rest have their product in common",
            compilation => compilation.InWork.ToList().ForEach(Simplification.Run)),
        new(
            "branch-chaining",
            "leads the ways into a block that only joins values straight to where it jumps",
            "last: behind a pass that merges blocks nothing else does so; in an engine each join is a state",
            compilation => compilation.InEngine.ToList().ForEach(BranchChaining.Run)),
    ];

    /// <summary>
    /// Runs passes; each must leave functions that are right. One that has left them as they are is not run again until
    /// another has changed something.
    /// </summary>
    /// <param name="passes">The passes, in order.</param>
    /// <param name="compilation">The service.</param>
    public static void Run(IReadOnlyList<Pass> passes, Compilation compilation)
    {
        var before = new FunctionFingerprints(compilation);
        foreach (var pass in passes)
        {
            if (!compilation.IsLeftAsItIs(pass, before.OfAll))
            {
                if (pass.OnOne is { } part) RunOnEach(pass, part(compilation), compilation, before);
                else pass.Run(compilation);
                var after = new FunctionFingerprints(compilation);
                foreach (var function in after.ChangedSince(before)) Verifier.Verify(function, pass.Name);
                if (after.OfAll == before.OfAll) compilation.NoteLeft(pass, after.OfAll);
                before = after;
            }
            compilation.Observer?.Invoke(pass.Name, compilation.InWork);
        }
    }

    /// <summary>Leaves out the functions of which it is known that the pass leaves them as they are.</summary>
    private static void RunOnEach(
        Pass pass, (Action<Function> Run, ulong Fingerprint) part, Compilation compilation, FunctionFingerprints before)
    {
        foreach (var function in compilation.Functions)
        {
            var fingerprint = before.With(function, part.Fingerprint);
            if (compilation.IsLeftAsItIs(pass, fingerprint)) continue;
            part.Run(function);
            if (Fingerprint.Of([function]) == before.Of(function)) compilation.NoteLeft(pass, fingerprint);
        }
    }

    private static IEnumerable<Pass> NarrowingRound(string place) =>
    [
        new(
            Narrow,
            "folds checks that always hold and removes bits that are always 0, by the ranges of all values",
            place,
            compilation => Narrowing.Run(compilation.Events)),
        Simplified("narrowing leaves extracts and concatenations"),
        new(
            "induction-variables",
            "counts the turns of a loop from 0 that goes from a computed number to a constant more than that",
            "after narrowing, which knows that the number cannot overflow; before unrolling, which it gives constants",
            compilation => InductionVariables.Run(compilation.Events)),
        Unrolled("after narrowing, which may have removed the branches that kept a bound from being constant"),
        OnEach(
            Moves,
            "writes moves of few bytes in the frame out, one after the other",
            "after unrolling, which may have made their number constant",
            FrameLoops.RunConstant),
        OnEach(
            "short-circuits",
            "makes one of two branches in a row where a single comparison says both",
            "after narrowing, which compares fewer bits; before if-conversion, which asks for each branch",
            ShortCircuits.Run),
        OnEach(
            "if-conversion",
            "makes a choice of conditions of a decision that has many ways and only computes",
            "before jump-threading, which would take such a decision apart, way by way",
            IfConversion.Run),
        OnEach(
            "jump-threading",
            "gives each way to a decision its own copy where that way decides it",
            "last of the round: what follows a found or missing entry knows which, and the next round narrows by it",
            JumpThreading.Run),
    ];

    private static Pass Simplified(string place) =>
        OnEach(Simplify, "folds operations, numbers equal values once, merges blocks", place, Simplification.Run);

    private static Pass ConstantStateIn(string place) => new(
        Constants,
        "replaces reads of state that nothing writes by what the constructor left",
        place,
        compilation => ConstantState.Run([.. compilation.Functions]));

    private static Pass Unrolled(string place) => new(
        Unroll,
        "copies the turns of a loop behind one another where constants decide its end",
        place,
        compilation => Unrolling.Run([.. compilation.Functions]))
    {
        OnOne = compilation =>
        {
            var written = ConstantState.Written(compilation.Functions);
            return (function => Unrolling.Run(function, written, mayGoOn: false, compilation.KeptLoops),
                Fingerprint.Of(written));
        },
    };

    private static Pass OnEach(string name, string does, string place, Action<Function> run) =>
        new(name, does, place, compilation => compilation.Functions.ToList().ForEach(run))
        {
            OnOne = _ => (run, 0),
        };

    private static Pass OnFast(string name, Action<Function> run, string place, bool onlyWithSlow = false) => new(
        name,
        "the same for the pipeline's part",
        place,
        compilation =>
        {
            if (!onlyWithSlow || compilation.Slow is not null) run(compilation.Fast!);
        });

    private static Pass OnSlow(string name, Action<Function> run, string place) => new(
        name,
        "the same for the slow path",
        place,
        compilation => compilation.SlowPath.ToList().ForEach(run));
}
