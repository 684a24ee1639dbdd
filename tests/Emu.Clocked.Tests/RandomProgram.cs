using System.Text;

namespace Emu.Clocked.Tests;

/// <summary>Writes a program of the clock level that pauses in every loop that has no bound, and compiles.</summary>
internal sealed class RandomProgram
{
    private static readonly string[] s_types = ["uint", "byte", "ushort", "ulong", "int", "short", "long", "sbyte"];
    private static readonly string[] s_binary = ["+", "-", "*", "&", "|", "^"];
    private static readonly string[] s_compare = ["<", "<=", "==", "!=", ">", ">="];

    private readonly Random _random;
    private readonly StringBuilder _text = new();
    private readonly List<(string Type, string Name)> _variables = [];
    private int _locals;
    private int _left = 40;
    private bool _isSoft;

    private RandomProgram(int seed) => _random = new Random(seed);

    /// <summary>The members of a class.</summary>
    /// <param name="seed">The same program comes again with it.</param>
    /// <param name="threads">The number of threads.</param>
    /// <param name="isSoft">True for one that leaves it to the compiler to pause between uses of a memory.</param>
    public static string Of(int seed, int threads, bool isSoft = false)
    {
        var program = new RandomProgram(seed) { _isSoft = isSoft };
        program.Write(threads);
        return program._text.ToString();
    }

    private void Write(int threads)
    {
        for (var i = 0; i < 3; i++) Line($"[Kiwi.InputWordPort(\"in{i}\")] static {Variable($"in{i}")};");
        Line("static readonly object guard = new object();");
        Line("static uint[] array = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };");
        var shared = _variables.ToList();
        for (var thread = 0; thread < threads; thread++)
        {
            Line($"static uint[] far{thread} = new uint[{(_isSoft ? 1024 : 32)}];");
            var own = new List<(string, string)>();
            for (var i = 0; i < 3; i++)
            {
                _variables.Clear();
                Line($"[Kiwi.OutputWordPort(\"out{thread}{i}\")] static {Variable($"out{thread}{i}")} = {i};");
                own.AddRange(_variables);
            }
            shared.AddRange(own);
        }
        for (var thread = threads - 1; thread >= 0; thread--)
        {
            _variables.Clear();
            _variables.AddRange(shared);
            _left = 30;
            if (thread == 0) Line($"[Kiwi.HardwareEntryPoint({Mode()})]");
            Line(thread == 0 ? "public static void Main() {" : $"static void T{thread}() {{");
            if (thread == 0) for (var i = 1; i < threads; i++) Line($"new Thread(T{i}).Start();");
            Line("while (true) {");
            Line("Kiwi.Pause();");
            Block(thread, threads, 0);
            Line("}}");
        }
    }

    private void Block(int thread, int threads, int depth)
    {
        var known = _variables.Count;
        for (var count = _random.Next(1, 5); count > 0 && _left-- > 0; count--) Statement(thread, threads, depth);
        _variables.RemoveRange(known, _variables.Count - known);
    }

    private void Statement(int thread, int threads, int depth)
    {
        switch (_random.Next(depth > 2 ? 5 : 11))
        {
            case 0:
                var type = s_types[_random.Next(s_types.Length)];
                var name = $"v{_locals++}";
                Line($"{type} {name} = unchecked(({type})({Number(2)}));");
                _variables.Add((type, name));
                break;
            case 1:
                Line("Kiwi.Pause();");
                break;
            case 2 when threads == 1:
                Line($"array[({Number(1)}) & 7] = unchecked((uint)({Number(2)}));");
                break;
            case 2:
                Access(thread, threads);
                break;
            case 9:
                Line($"Console.WriteLine(\"{thread}: {{0}} {{1:X}}\", {Leaf()}, {Number(1)});");
                break;
            case 10 when threads > 1:
                Line("lock (guard) {");
                Block(thread, threads, depth + 1);
                Line("}");
                break;
            case 5:
                Line($"if ({Condition()}) {{");
                Block(thread, threads, depth + 1);
                Line("} else {");
                Block(thread, threads, depth + 1);
                Line("}");
                break;
            case 6:
                Line($"while ({Condition()}) {{");
                Block(thread, threads, depth + 1);
                Line(_isSoft && _random.Next(2) == 0 ? "}" : "Kiwi.Pause(); }");
                break;
            case 7:
                var turn = $"i{_locals++}";
                Line($"for (int {turn} = 0; {turn} < {_random.Next(1, 5)}; {turn}++) {{");
                _variables.Add(("int", turn));
                Assign(thread);
                if (_random.Next(2) == 0) Line("Kiwi.Pause();");
                _variables.RemoveAt(_variables.Count - 1);
                Line("}");
                break;
            default:
                Assign(thread);
                break;
        }
    }

    /// <summary>A memory of which a thread writes one word in a cycle, and each thread reads one.</summary>
    private void Access(int thread, int threads)
    {
        if (_isSoft)
        {
            SoftAccess(thread, threads);
            return;
        }
        Line("Kiwi.Pause();");
        Line(_random.Next(2) == 0
            ? $"{Far(thread)} = unchecked((uint)({Leaf()}));"
            : $"out{thread}0 = unchecked(({Type($"out{thread}0")})({Far(_random.Next(threads))}));");
        Line("Kiwi.Pause();");
    }

    /// <summary>Several words in one statement, or in a loop without a pause and without a bound.</summary>
    private void SoftAccess(int thread, int threads)
    {
        var (from, to) = (Far(_random.Next(threads)), Far(thread));
        Line(_random.Next(5) switch
        {
            0 => $"{to} = unchecked({from} + {Far(_random.Next(threads))} * (uint)({Leaf()}));",
            1 => $"out{thread}0 = unchecked(({Type($"out{thread}0")})({from} ^ {to} ^ {from}));",
            2 => $"if ({from} > {to}) {to} = unchecked((uint)({Leaf()})); else {to}++;",
            3 => $"{to} = unchecked((uint)({Leaf()} {"/%"[_random.Next(2)]} {Divisor()}));",
            _ => $"for (uint j{_locals} = (uint)({Leaf()}) & 7; j{_locals} != 0; j{_locals++}--) "
                + $"{to} = unchecked({from} + j{_locals - 1});",
        });
    }

    /// <summary>A number that is seldom zero.</summary>
    private string Divisor() => _random.Next(3) switch
    {
        0 => $"(({Leaf()}) | 1)",
        1 => $"unchecked((uint)({Leaf()}) % 50 + 1)",
        _ => $"(({Leaf()}) & 15)",
    };

    private string Far(int thread) => $"far{thread}[({Leaf()}) & {(_isSoft ? 1023 : 31)}]";

    private string Mode() => _isSoft ? "Kiwi.PauseControl.softPauseEnable" : "";

    private string Type(string name) => _variables.Find(v => v.Name == name).Type;

    private void Assign(int thread)
    {
        var mine = _variables.FindAll(v => v.Name[0] == 'v' || v.Name.StartsWith($"out{thread}"));
        var (type, name) = mine[_random.Next(mine.Count)];
        Line($"{name} = unchecked(({type})({Number(3)}));");
    }

    private string Condition() => $"({Number(2)}) {s_compare[_random.Next(s_compare.Length)]} ({Number(1)})";

    private string Number(int depth) => depth == 0 || _random.Next(4) == 0
        ? Leaf()
        : _random.Next(8) switch
        {
            0 => $"({Number(depth - 1)}) << ({Small()})",
            1 => $"({Number(depth - 1)}) >> ({Small()})",
            2 => $"({Condition()} ? {Number(depth - 1)} : {Number(depth - 1)})",
            3 => $"(long)array[({Leaf()}) & 7]",
            _ => $"({Number(depth - 1)}) {s_binary[_random.Next(s_binary.Length)]} ({Number(depth - 1)})",
        };

    private string Small() => $"(int)({Leaf()}) & {_random.Next(32)}";

    private string Leaf() => _random.Next(3) == 0
        ? $"{_random.Next(-3, 300)}L"
        : $"(long){_variables[_random.Next(_variables.Count)].Name}";

    private string Variable(string name)
    {
        var type = s_types[_random.Next(s_types.Length)];
        _variables.Add((type, name));
        return $"{type} {name}";
    }

    private void Line(string text) => _text.Append(text).Append('\n');
}
