namespace Emu.Clocked.Tests;

/// <summary>Loops in loops: which of their turns have a pause is what constants say.</summary>
public sealed class LoopTests
{
    private const string Begin = """
        [Kiwi.InputWordPort("word")] static uint word;
        [Kiwi.InputBitPort("go")] static bool go;
        [Kiwi.OutputWordPort("sum")] static uint sum;
        [Kiwi.OutputBitPort("bit")] static bool bit;
        static int count;
        static int turns = 3;

        static void Delay() { for (int i = 0; i < 3; i++) Kiwi.Pause(); }

        static void DelayFor(int cycles) { while (cycles-- > 0) Kiwi.Pause(); }

        static void DelayOfField() { for (count = 0; count < turns; count++) Kiwi.Pause(); }

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {

        """;

    [Theory]
    [InlineData("for (int n = 0; n < 4; n++) { bit = (word >> n & 1) != 0; Delay(); }")]
    [InlineData("Delay(); bit = go; for (int n = 0; n < 4; n++) { sum += word; Delay(); } bit = !bit; Delay();")]
    [InlineData("while (!go) Kiwi.Pause(); for (int n = 0; n < 4; n++) { sum ^= word; Delay(); }")]
    [InlineData("for (int n = 0; n < 4; n++) { sum ^= word; DelayOfField(); } sum++;")]
    [InlineData("for (int n = 1; n < 4; n++) { sum ^= word; DelayFor(2); } sum++;")]
    [InlineData("for (int n = 0; n < 8; n++) { Kiwi.Pause(); if (word == 3) break; sum += word; } bit = !bit;")]
    [InlineData("uint s = 0; for (int n = 0; n < 8; n++) { Kiwi.Pause(); if (go) break; s += word; } sum = s;")]
    [InlineData("uint a = word, b = 1; for (int n = 0; n < 5; n++) { (a, b) = (b, a + b); Delay(); sum = a; }")]
    [InlineData("Kiwi.Pause(); uint s = 0; for (count = 0; count < turns; count++) s += word >> count; sum = s;")]
    [InlineData("Kiwi.Pause(); for (count = 0; count < 4; count++) { if ((word >> count & 1) != 0) break; sum++; }")]
    [InlineData("for (int n = 0; n < 8; n++) Kiwi.Pause(); Kiwi.Pause(); for (int n = 0; n < 5; n++) sum += word;")]
    [InlineData("Delay(); Kiwi.Pause(); for (int i = 0; i < 4; i++) sum ^= word >> i; if (go) { Delay(); sum++; }")]
    [InlineData("for (int n = 0; n < 2; n++) for (int m = 0; m < 3; m++) { sum += word; Delay(); bit = go; }")]
    [InlineData("do { for (int n = 0; n < 3; n++) { Kiwi.Pause(); if (!go) sum += word; } } while (word > 9);")]
    [InlineData("for (int n = 0; ; n++) { if (n == 5) n = 0; bit = n == 2; if (go) Delay(); else Kiwi.Pause(); }")]
    public void They_are_the_same_on_every_rung(string statements) =>
        Trace.Check(Source.Program($"{Begin}{statements}\n}}\n}}"), isOutside: false);
}
