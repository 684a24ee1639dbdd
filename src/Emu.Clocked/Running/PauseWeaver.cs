using KiwiSystem;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Clocked;

/// <summary>Puts the pauses that the compiler has added into the CIL of a program.</summary>
internal static class PauseWeaver
{
    /// <summary>Puts them in, before anything else is rewritten.</summary>
    /// <param name="module">The program, as it was read.</param>
    /// <param name="pauses">The pauses.</param>
    /// <returns>True where there are any.</returns>
    public static bool Weave(ModuleDefinition module, IReadOnlyList<ScheduledPause> pauses)
    {
        var pause = new Lazy<MethodReference>(
            () => module.ImportReference(typeof(Kiwi).GetMethod(nameof(Kiwi.Pause), [])));
        foreach (var ofMethod in pauses.GroupBy(added => added.Method))
        {
            var body = ((MethodDefinition)module.LookupToken(ofMethod.Key)).Body;
            var counts = ofMethod.GroupBy(added => added.Offset)
                .ToDictionary(at => at.Key, at => at.Sum(added => added.Count));
            var places = body.Instructions.Where(instruction => counts.ContainsKey(instruction.Offset))
                .Select(instruction => (At: instruction, Count: counts[instruction.Offset])).ToList();
            // Branches get longer.
            body.SimplifyMacros();
            foreach (var (at, count) in places)
                for (var i = 0; i < count; i++) Insert(body, BeforePrefixes(at), pause.Value);
            body.OptimizeMacros();
        }
        return pauses.Count > 0;
    }

    /// <summary>The pause takes the instruction's place: all that leads there leads to it.</summary>
    private static void Insert(MethodBody body, Instruction at, MethodReference pause)
    {
        var behind = Instruction.Create(OpCodes.Nop);
        (behind.OpCode, behind.Operand) = (at.OpCode, at.Operand);
        (at.OpCode, at.Operand) = (OpCodes.Call, pause);
        body.Instructions.Insert(body.Instructions.IndexOf(at) + 1, behind);
    }

    private static Instruction BeforePrefixes(Instruction at)
    {
        while (at.Previous?.OpCode.OpCodeType == OpCodeType.Prefix) at = at.Previous;
        return at;
    }
}
