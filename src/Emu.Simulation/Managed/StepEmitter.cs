using System.Reflection.Emit;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// Makes one method of some steps. Its argument is the memory; a value is one or two local variables of 64 bits, loaded
/// from memory at its first use. There is no branch but around the writes to RAMs:
/// what is not chosen costs less than a wrong guess.
/// </summary>
internal sealed partial class StepEmitter
{
    private readonly MemoryLayout _layout;
    private readonly DynamicMethod _method;
    private readonly ILGenerator _il;
    private readonly Dictionary<(Value Value, int Word), LocalBuilder> _locals = [];
    private readonly HashSet<int> _reads = [];
    private readonly HashSet<int> _ramsRead = [];
    private readonly HashSet<int> _kept = [];
    private readonly HashSet<int> _ramsWritten = [];

    public StepEmitter(string name, MemoryLayout layout)
    {
        _layout = layout;
        _method = new DynamicMethod(
            name, typeof(void), [typeof(ulong).MakeByRefType()], typeof(StepEmitter).Module, skipVisibility: true);
        _il = _method.GetILGenerator();
    }

    public CompiledMethod Compile(IEnumerable<Step> steps)
    {
        foreach (var step in steps)
        {
            switch (step)
            {
                case Define define: EmitDefine(define.Value); break;
                case Latch latch: EmitLatch(latch); break;
                case Store store: EmitStore(store); break;
                case Show show: StoreWord(show.Slot, () => LoadWord(show.Source, 0)); break;
            }
        }
        _il.Emit(OpCodes.Ret);
        return new CompiledMethod(
            _method.CreateDelegate<CompiledSteps>(), _reads, _ramsRead, _kept, _ramsWritten);
    }

    private static int WordsOf(Value value) => MemoryLayout.WordsOf(value.Width);

    private void EmitDefine(Value value)
    {
        if (value is Operation operation) EmitOperation(operation);
        else
            for (var i = 0; i < WordsOf(value); i++)
                SetWord(value, i, () => LoadRamWord(((RamRead)value).Ram, ((RamRead)value).Address, i));
    }

    private void EmitLatch(Latch latch)
    {
        for (var i = 0; i < WordsOf(latch.Element); i++)
        {
            void Taken()
            {
                if (latch.Element is RamRead read) LoadRamWord(read.Ram, latch.Source, i);
                else LoadWord(latch.Source, i);
            }

            void Enabled()
            {
                if (latch.Enable is null) Taken();
                else Choose(latch.Enable, Taken, () => LoadWord(latch.Element, i));
            }

            StoreWord(_layout.NextSlot(latch.Element) + i, () =>
            {
                if (latch.Clear is null) Enabled();
                else Choose(latch.Clear, () => Push((ulong)(((Flop)latch.Element).Reset!.Value >> 64 * i)), Enabled);
            });
        }
    }

    private void EmitStore(Store store)
    {
        // Locals must not be loaded for the first time where the code may not come by.
        for (var i = 0; i < WordsOf(store.Write.Data); i++) Touch(store.Write.Data, i);
        Touch(store.Write.Address, 0);
        var skip = _il.DefineLabel();
        LoadWord(store.Write.Enable, 0);
        _il.Emit(OpCodes.Brfalse, skip);
        for (var i = 0; i < WordsOf(store.Write.Data); i++)
        {
            LoadRamAddress(store.Ram, store.Write.Address, i);
            LoadWord(store.Write.Data, i);
            _il.Emit(OpCodes.Stind_I8);
        }
        StoreWord(_layout.WrittenFlag(store.Ram), () => Push(1));
        _ramsWritten.Add(_layout.Ram(store.Ram));
        _il.MarkLabel(skip);
    }

    private void Touch(Value value, int word)
    {
        LoadWord(value, word);
        _il.Emit(OpCodes.Pop);
    }

    /// <summary>Pushes 64 bits of a value; 0 above its width.</summary>
    private void LoadWord(Value value, int word)
    {
        value = Step.Resolve(value);
        if (word >= WordsOf(value)) Push(0);
        else if (value is Constant constant) Push((ulong)(constant.Bits >> 64 * word));
        else if (_locals.TryGetValue((value, word), out var local)) _il.Emit(OpCodes.Ldloc, local);
        else
        {
            if (value is InputBits bits)
                LoadField(i => LoadMemory(_layout.Port(bits.Port.Name) + i), bits.Low, bits.Width, word);
            else LoadMemory(_layout.Slot(value) + word);
            _il.Emit(OpCodes.Dup);
            _il.Emit(OpCodes.Stloc, _locals[(value, word)] = _il.DeclareLocal(typeof(ulong)));
        }
    }

    /// <summary>Defines 64 bits of a value, and stores them if another method needs them.</summary>
    private void SetWord(Value value, int word, Action load)
    {
        load();
        var local = _il.DeclareLocal(typeof(ulong));
        _il.Emit(OpCodes.Stloc, local);
        _locals[(value, word)] = local;
        if (!_layout.IsKept(value)) return;
        StoreWord(_layout.Slot(value) + word, () => _il.Emit(OpCodes.Ldloc, local));
        _kept.Add(_layout.Slot(value) + word);
    }

    private void LoadMemory(int slot)
    {
        _reads.Add(slot);
        LoadSlotAddress(slot);
        _il.Emit(OpCodes.Ldind_I8);
    }

    private void StoreWord(int slot, Action load)
    {
        LoadSlotAddress(slot);
        load();
        _il.Emit(OpCodes.Stind_I8);
    }

    private void LoadSlotAddress(int slot)
    {
        _il.Emit(OpCodes.Ldarg_0);
        _il.Emit(OpCodes.Ldc_I8, slot * 8L);
        _il.Emit(OpCodes.Conv_I);
        _il.Emit(OpCodes.Add);
    }

    private void LoadRamWord(Ram ram, Value address, int word)
    {
        _ramsRead.Add(_layout.Ram(ram));
        LoadRamAddress(ram, address, word);
        _il.Emit(OpCodes.Ldind_I8);
    }

    private void LoadRamAddress(Ram ram, Value address, int word)
    {
        LoadSlotAddress(_layout.Ram(ram) + word);
        LoadWord(address, 0);
        Shift(OpCodes.Shl, MemoryLayout.WordsOf(ram.Width) == 2 ? 4 : 3);
        _il.Emit(OpCodes.Conv_I);
        _il.Emit(OpCodes.Add);
    }

    /// <summary>Pushes one of two words by a condition of 1 bit, without a branch.</summary>
    private void Choose(Value condition, Action whenOne, Action whenZero)
    {
        whenZero();
        whenOne();
        whenZero();
        _il.Emit(OpCodes.Xor);
        LoadWord(condition, 0);
        _il.Emit(OpCodes.Neg);
        _il.Emit(OpCodes.And);
        _il.Emit(OpCodes.Xor);
    }

    private void Push(ulong number) => _il.Emit(OpCodes.Ldc_I8, unchecked((long)number));

    private void Shift(OpCode shift, int count)
    {
        if (count == 0) return;
        _il.Emit(OpCodes.Ldc_I4, count);
        _il.Emit(shift);
    }

    private void And(ulong mask)
    {
        if (mask == ulong.MaxValue) return;
        Push(mask);
        _il.Emit(OpCodes.And);
    }
}
