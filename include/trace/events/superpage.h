/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM superpage

#if !defined(_TRACE_SUPERPAGE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_SUPERPAGE_H

#include <linux/mm_types.h>
#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(superpage,
		    TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
		    TP_ARGS(mm, addr, order),
		    TP_STRUCT__entry(__field(struct mm_struct *, mm)
				     __field(unsigned long, addr)
				     __field(unsigned int, order)),
		    TP_fast_assign(__entry->mm = mm;
				   __entry->addr = addr;
				   __entry->order = order;),
		    TP_printk("mm=%p addr=%#lx order=%u", __entry->mm, __entry->addr,
			      __entry->order));

/*
 * A page fault at @addr has mapped the block of @order around it: as one superpage, as
 * several smaller ones, or as base pages.
 */
DEFINE_EVENT(superpage, superpage_fault,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/* A page fault at @addr has found no memory, or no charge, for a superpage of @order. */
DEFINE_EVENT(superpage, superpage_fallback,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/* The superpage of @order around @addr has become smaller superpages and base pages. */
DEFINE_EVENT(superpage, superpage_demote,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/*
 * The base pages and smaller superpages from @addr on have become one superpage of
 * @order.
 */
DEFINE_EVENT(superpage, superpage_promote,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/* Frames have been reserved for the block of @order at @addr. */
DEFINE_EVENT(superpage, superpage_reserve,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/* Reserved frames, the homes of the block of @order at @addr, are being given back. */
DEFINE_EVENT(superpage, superpage_break,
	     TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order),
	     TP_ARGS(mm, addr, order));

/*
 * khugepaged or MADV_COLLAPSE has tried to collapse the block of @order at @addr.  @error is 0,
 * or says why that failed; @moved pages have moved or have been filled in.
 */
TRACE_EVENT(superpage_collapse,
	    TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order,
		     unsigned long moved, int error),
	    TP_ARGS(mm, addr, order, moved, error),
	    TP_STRUCT__entry(__field(struct mm_struct *, mm)
			     __field(unsigned long, addr)
			     __field(unsigned int, order)
			     __field(unsigned long, moved)
			     __field(int, error)),
	    TP_fast_assign(__entry->mm = mm;
			   __entry->addr = addr;
			   __entry->order = order;
			   __entry->moved = moved;
			   __entry->error = error;),
	    TP_printk("mm=%p addr=%#lx order=%u moved=%lu error=%d", __entry->mm,
		      __entry->addr, __entry->order, __entry->moved, __entry->error));

/* The underused block of @order at @addr has given back @freed pages of zeroes. */
TRACE_EVENT(superpage_underused,
	    TP_PROTO(struct mm_struct *mm, unsigned long addr, unsigned int order,
		     unsigned long freed),
	    TP_ARGS(mm, addr, order, freed),
	    TP_STRUCT__entry(__field(struct mm_struct *, mm)
			     __field(unsigned long, addr)
			     __field(unsigned int, order)
			     __field(unsigned long, freed)),
	    TP_fast_assign(__entry->mm = mm;
			   __entry->addr = addr;
			   __entry->order = order;
			   __entry->freed = freed;),
	    TP_printk("mm=%p addr=%#lx order=%u freed=%lu", __entry->mm, __entry->addr,
		      __entry->order, __entry->freed));

#endif /* _TRACE_SUPERPAGE_H */

#include <trace/define_trace.h>
