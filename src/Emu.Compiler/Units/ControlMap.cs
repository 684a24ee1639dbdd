using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Units;

/// <summary>The map of the registers that can be read and written from outside, as it grows.</summary>
internal sealed class ControlMap
{
    /// <summary>The width of a register.</summary>
    public const int WordBits = 32;

    /// <summary>The bytes of a register.</summary>
    public const int WordBytes = WordBits / 8;

    /// <summary>The width of an address.</summary>
    public const int AddressBits = 12;

    /// <summary>The register that asks for a reset.</summary>
    public const int ResetAddress = 0x08;

    /// <summary>The register that gives the complement of what was written to it.</summary>
    public const int ComplementAddress = 0x0C;

    /// <summary>The bit of the table index by which frames wait.</summary>
    public const int HoldBit = 31;

    private const int FirstFree = 0x14;

    private int _next = FirstFree;

    /// <summary>Registers that never change.</summary>
    public List<(int Address, UInt128 Value)> Constants { get; } = [];

    /// <summary>Registers of the service.</summary>
    public List<(int Address, Value Value)> Registers { get; } = [];

    /// <summary>Columns of tables.</summary>
    public List<(int Address, Value Value)> Columns { get; } = [];

    /// <summary>Counters, by their place in the bank.</summary>
    public List<(int Address, int Index, int Bits)> Counters { get; } = [];

    /// <summary>The address of the table index; 0 if there are no tables.</summary>
    public int IndexAddress { get; private set; }

    /// <summary>The entry of each address.</summary>
    public List<RegisterEntry> Entries { get; } = [];

    /// <summary>The registers that a value takes.</summary>
    public static int Words(Value value) => (value.Width + WordBits - 1) / WordBits;

    /// <summary>An address as the number of its register.</summary>
    public static Constant Word(int address) => new(AddressBits - 2, (UInt128)(address / WordBytes));

    /// <summary>Enters a register that never changes.</summary>
    public void AddConstant(int address, string name, string meaning, UInt128 value)
    {
        Constants.Add((address, value));
        Entries.Add(new RegisterEntry(address, name, meaning));
    }

    /// <summary>Enters the table index.</summary>
    public void AddTableIndex(string name, string meaning) => IndexAddress = Enter(name, meaning, 1, null);

    /// <summary>Enters a value of some registers behind what is there, and gives its address.</summary>
    /// <exception cref="CompileException">There is no room for it.</exception>
    public int Enter(string name, string meaning, int words, int? entries)
    {
        var address = _next;
        Entries.Add(new RegisterEntry(
            address, name, words == 1 ? meaning : $"{meaning} (low word; reading it keeps the others)", entries));
        for (var i = 1; i < words; i++)
        {
            var (suffix, which) = words == 2 ? ("high", "high word") : ($"word{i}", $"word {i}, from 0");
            Entries.Add(new RegisterEntry(
                address + WordBytes * i,
                $"{name}.{suffix}",
                $"{meaning} ({which}, as it was when the low word was read)",
                entries));
        }
        _next += WordBytes * words;
        if (_next <= 1 << AddressBits) return address;
        var reason =
            $"{name} has no address left: the register map has {(1 << AddressBits) / WordBytes} words; "
            + "count and show less, or keep the counts in an array";
        throw new CompileException(DiagnosticNumber.RegisterMap, reason, null);
    }
}
